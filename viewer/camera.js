// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// A camera that looks at the middle of the network: in perspective from any side, or straight at the plane. Matrices
// are 4x4, column by column, as WebGL takes them.

class Camera {
  constructor() { this.fit(new Float32Array([0, 0, 0]), false); }

  // Frames these places.
  fit(places, isFlat) {
    const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
    places.forEach((value, i) => {
      low[i % 3] = Math.min(low[i % 3], value);
      high[i % 3] = Math.max(high[i % 3], value);
    });
    this.middle = low.map((value, i) => (value + high[i]) / 2);
    this.size = low.map((value, i) => (high[i] - value) / 2);
    this.radius = Math.max(0.8, Math.hypot(...this.size));
    this.isFlat = isFlat;
    this.reset();
  }

  reset() {
    const wide = this.size[2] > 0.01 * this.radius;
    this.turn = this.isFlat ? 0 : wide ? 0.42 : 0.2;
    // A doughnut is looked at from above.
    const low = this.size[1] < 0.5 * Math.min(this.size[0], this.size[2]);
    this.tilt = this.isFlat ? 0 : low ? 0.75 : wide ? 0.3 : 0.2;
    this.zoom = 1;
    this.shift = [0, 0];
  }

  rotate(across, up) {
    if (this.isFlat) {
      this.shift = [this.shift[0] + across / this.zoom, this.shift[1] + up / this.zoom];
      return;
    }
    this.turn += 2.2 * across;
    this.tilt = Math.max(-1.5, Math.min(1.5, this.tilt + 2.2 * up));
  }

  magnify(factor) { this.zoom = Math.max(0.2, Math.min(40, this.zoom * factor)); }

  // From places to clip space.
  matrix(width, height) {
    const aspect = width / Math.max(1, height), {radius} = this, air = 1.2;
    const ct = Math.cos(this.turn), st = Math.sin(this.turn), ce = Math.cos(this.tilt), se = Math.sin(this.tilt);
    // Rows of the rotation: right, up, towards the viewer.
    const right = [ct, 0, -st], up = [-se * st, ce, -se * ct], front = [ce * st, se, ce * ct];
    const row = (axis) => [...axis, -axis.reduce((sum, value, i) => sum + value * this.middle[i], 0)];
    const [x, y, z] = [right, up, front].map(row);
    const narrow = Math.min(1, aspect);
    this.depth = [0, 0];
    if (this.isFlat) {
      const fit = Math.max(this.size[1] + 0.7, (this.size[0] + 0.7) / aspect) * air;
      const scale = this.zoom / fit;
      return fromRows(
          [
            x.map((value) => value * scale / aspect), y.map((value) => value * scale),
            z.map((value) => -0.01 * value / radius), [0, 0, 0, 1]
          ],
          [2 * this.shift[0] * this.zoom, -2 * this.shift[1] * this.zoom - 0.02]);
    }
    const view = 0.62, distance = radius * air / (Math.sin(view / 2) * narrow) / this.zoom;
    const focal = 1 / Math.tan(view / 2), near = Math.max(0.02 * radius, distance - 2.5 * radius),
          far = distance + 2.5 * radius;
    const depth = [-(far + near) / (near - far), 2 * far * near / (near - far)];
    this.depth = depth;
    const w = z.map((value) => -value);
    w[3] += distance;
    return fromRows(
        [
          x.map((value) => value * focal / aspect), y.map((value) => value * focal),
          w.map((value, i) => value * depth[0] + (i === 3 ? depth[1] : 0)), w
        ],
        [0, -0.02]);
  }
}

// Adds `shift` in clip space, in parts of w.
function fromRows(rows, shift) {
  const moved = [0, 1].map((i) => rows[i].map((value, column) => value + shift[i] * rows[3][column]));
  const all = [moved[0], moved[1], rows[2], rows[3]], result = new Float32Array(16);
  for (let column = 0; column < 4; ++column)
    for (let row = 0; row < 4; ++row) result[4 * column + row] = all[row][column];
  return result;
}

// The place on the picture, in its pixels, with the distance from the camera.
function projected(matrix, place, width, height) {
  const clip = [0, 1, 3].map(
      (row) => matrix[row] * place[0] + matrix[4 + row] * place[1] + matrix[8 + row] * place[2] + matrix[12 + row]);
  return {x: (1 + clip[0] / clip[2]) * width / 2, y: (1 - clip[1] / clip[2]) * height / 2, depth: clip[2]};
}
