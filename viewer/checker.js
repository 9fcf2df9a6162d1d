// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The checker of Isotrope, compiled to WebAssembly (app/page/checker.cpp). Reads a plan, gives its picture, and
// proves it.

class Checker {
  // From base 64 of a gzip file.
  static async from(text) {
    const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    const unpacked = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
    const module = await WebAssembly.compile(await new Response(unpacked).arrayBuffer());
    const checker = new Checker();
    checker.exports = (await WebAssembly.instantiate(module, checker.system(module))).exports;
    checker.exports._initialize();
    return checker;
  }

  // What the module asks of its surroundings: nothing but an empty environment; it writes no files.
  system(module) {
    const functions = {
      proc_exit: () => {
        throw new Error('The checker ran out of memory.');
      },
      environ_sizes_get: (count, size) => {
        new Uint32Array(this.exports.memory.buffer)[count >> 2] =
            new Uint32Array(this.exports.memory.buffer)[size >> 2] = 0;
        return 0;
      },
      environ_get: () => 0,
    };
    const imports = {};
    for (const {module: name, name: field} of WebAssembly.Module.imports(module))
      (imports[name] = imports[name] || {})[field] = functions[field] || (() => (name === 'env' ? undefined : 52));
    return imports;
  }

  // The picture of a plan, as JSON text, or {error}.
  read(plan, places) {
    const encoder = new TextEncoder(), first = encoder.encode(plan), second = encoder.encode(places);
    const at = this.exports.page_room(first.length + second.length);
    new Uint8Array(this.exports.memory.buffer).set(first, at);
    new Uint8Array(this.exports.memory.buffer).set(second, at + first.length);
    return this.answer(this.exports.page_read(first.length, second.length));
  }

  // The verdict on the plan that was read.
  check() { return this.answer(this.exports.page_check()); }

  answer(at) {
    const bytes = new Uint8Array(this.exports.memory.buffer);
    return JSON.parse(new TextDecoder().decode(bytes.subarray(at, bytes.indexOf(0, at))));
  }
}
