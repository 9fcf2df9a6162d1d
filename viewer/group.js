// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The group whose elements are the nodes: numbers in row-major order of coordinates, added coordinate by coordinate. A
// translation, adding one element to all nodes, maps the network onto itself.

class Group {
  constructor(moduli) {
    this.moduli = moduli;
    this.order = moduli.reduce((product, modulus) => product * modulus, 1);
    this.binary = moduli.every((modulus) => modulus === 2);
    this.cyclic = moduli.length === 1;
  }

  add(a, b) {
    if (this.binary) return a ^ b;
    if (this.cyclic) return a + b < this.order ? a + b : a + b - this.order;
    let sum = 0, stride = 1;
    for (let i = this.moduli.length - 1; i >= 0; --i) {
      const modulus = this.moduli[i];
      const digit = (a % modulus) + (b % modulus);
      sum += (digit < modulus ? digit : digit - modulus) * stride;
      stride *= modulus;
      a = Math.floor(a / modulus);
      b = Math.floor(b / modulus);
    }
    return sum;
  }

  negate(a) {
    if (this.binary) return a;
    let result = 0, stride = 1;
    for (let i = this.moduli.length - 1; i >= 0; --i) {
      const modulus = this.moduli[i], digit = a % modulus;
      result += (digit === 0 ? 0 : modulus - digit) * stride;
      stride *= modulus;
      a = Math.floor(a / modulus);
    }
    return result;
  }

  subtract(a, b) { return this.add(a, this.negate(b)); }

  coordinates(node) {
    const result = [];
    for (let i = this.moduli.length - 1; i >= 0; --i) {
      result.unshift(node % this.moduli[i]);
      node = Math.floor(node / this.moduli[i]);
    }
    return result;
  }
}
