// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// A plan file in CBOR (RFC 8949) as the same document in JSON. Keys stay as they are, also doubled ones, so that the
// checker judges the document itself; numbers stay exact.

function jsonFromCbor(bytes) {
  let at = 0;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), out = [];
  const refuse = (what) => {
    throw new Error(`byte ${at}: ${what}`);
  };

  const argument = (low) => {
    if (low < 24) return BigInt(low);
    const size = [1, 2, 4, 8][low - 24];
    if (!size) refuse('this is not CBOR');
    if (at + size > bytes.length) refuse('the file ends too early');
    let value = 0n;
    for (let i = 0; i < size; ++i) value = value * 256n + BigInt(view.getUint8(at++));
    return value;
  };
  const isBreak = () => {
    if (at >= bytes.length) refuse('the file ends too early');
    if (bytes[at] !== 0xff) return false;
    ++at;
    return true;
  };
  const text = (low) => {
    if (low === 31) {
      let whole = '';
      while (!isBreak()) {
        const head = bytes[at++];
        if (head >> 5 !== 3) refuse('a text has parts that are no text');
        whole += text(head & 31);
      }
      return whole;
    }
    const length = Number(argument(low));
    if (at + length > bytes.length) refuse('the file ends too early');
    at += length;
    return new TextDecoder('utf-8', {fatal: true}).decode(bytes.subarray(at - length, at));
  };
  const items = (low, item) => {
    const count = low === 31 ? null : argument(low);
    for (let i = 0n; count === null ? !isBreak() : i < count; ++i) {
      if (i > 0n) out.push(',');
      item();
    }
  };
  const value = (depth) => {
    if (at >= bytes.length) refuse('the file ends too early');
    if (depth > 64) refuse('values are nested too deeply');
    const head = bytes[at++], major = head >> 5, low = head & 31;
    if (major === 0)
      out.push(String(argument(low)));
    else if (major === 1)
      out.push(String(-1n - argument(low)));
    else if (major === 3)
      out.push(JSON.stringify(text(low)));
    else if (major === 4) {
      out.push('[');
      items(low, () => value(depth + 1));
      out.push(']');
    } else if (major === 5) {
      out.push('{');
      items(low, () => {
        if (bytes[at] >> 5 !== 3) refuse('a key is no text');
        value(depth + 1);
        out.push(':');
        value(depth + 1);
      });
      out.push('}');
    } else if (head === 0xf4)
      out.push('false');
    else if (head === 0xf5)
      out.push('true');
    else
      refuse('plans have no value of this kind');
  };

  value(0);
  if (at !== bytes.length) refuse('more bytes follow after the end of the plan');
  return out.join('');
}
