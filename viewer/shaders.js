// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The programs of the graphics card: ribbons along links, one instance a link; and discs for nodes and packets, one
// point each, with 12 bytes a packet. `along` is the course of a link (isotrope/io/solid_layout.hpp) and is the same for links and packets.

const course = `
vec3 along(vec3 a, vec3 b, vec3 bend, float kind, float s) {
  if (kind > 1.5) return s < 0.5 ? a + 2.0 * s * bend : b - 2.0 * (1.0 - s) * bend;
  vec3 straight = mix(a, b, s);
  return kind > 0.5 ? straight + 2.0 * s * (1.0 - s) * bend : straight;
}
// Pixels to the right of the way from p to q.
vec2 aside(vec4 p, vec4 q, vec2 size) {
  vec2 way = (q.xy / q.w - p.xy / p.w) * size;
  float l = length(way);
  return l < 1e-6 ? vec2(0.0) : vec2(way.y, -way.x) / l;
}
// 0 at the front, 1 at the back.
float mist(vec4 p, vec2 range) {
  return clamp((p.w - range.x) / max(range.y - range.x, 1e-6), 0.0, 1.0);
}`;

const linkShader = {
  vertex: `#version 300 es
precision highp float;
in vec2 at;      // share of the way, side -1 or 1
in vec3 a, b, bend;
in float kind;   // 0 line or half of a stub, 1 arc
in float load;   // 0..1, below 0: failed
uniform mat4 matrix;
uniform vec2 size, range;
uniform float width;
out float shownLoad, back;
${course}
void main() {
  vec4 p = matrix * vec4(along(a, b, bend, kind, at.x), 1.0);
  vec4 q = matrix * vec4(along(a, b, bend, kind, at.x + 0.01), 1.0);
  float wide = width * (1.0 + 1.1 * max(load, 0.0));
  p.xy += aside(p, q, size) * at.y * wide / size * p.w;
  gl_Position = p;
  shownLoad = load;
  back = mist(p, range);
}`,
  fragment: `#version 300 es
precision highp float;
in float shownLoad, back;
uniform vec3 idle, loaded, failed, ground;
uniform float faint;
out vec4 colour;
void main() {
  vec3 own = shownLoad < -0.5 ? failed : mix(idle, loaded, shownLoad);
  colour = vec4(mix(own, ground, 0.55 * back + faint * (1.0 - max(shownLoad, 0.0)) * 0.5), 1.0);
}`,
};

// `ends` gives a, b, bend, kind, radius, tint and ring: as attributes, or by the lines of `fetch`.
const pointVertex = (ends, fetch) => `#version 300 es
precision highp float;
precision highp sampler2D;
${ends}
uniform mat4 matrix;
uniform vec2 size, range;
uniform float progress, scale, least, lane;
uniform vec2 depth;   // depth = x + y / w in clip space
out vec3 own;
out float back, rimmed, pixels;
${course}
void main() {
${fetch}
  vec4 p = matrix * vec4(along(a, b, bend, kind, progress), 1.0);
  if (lane > 0.0) {
    float from = min(progress, 0.98);
    if (kind > 1.5) from = progress < 0.5 ? min(from, 0.47) : max(from, 0.5);
    vec4 r = matrix * vec4(along(a, b, bend, kind, from), 1.0), q = matrix * vec4(along(a, b, bend, kind, from + 0.02), 1.0);
    p.xy += aside(r, q, size) * lane * 2.0 / size * p.w;
  }
  // A ball covers what ends in its middle.
  if (depth.y != 0.0) p.z = (depth.x + depth.y / max(p.w - 1.2 * radius, 1e-3)) * p.w;
  else p.z -= 0.01;
  gl_Position = p;
  pixels = max(2.0 * radius * scale / p.w, least * (radius > 0.0 ? 1.0 : 0.0));
  gl_PointSize = pixels;
  own = tint;
  back = mist(p, range);
  rimmed = ring;
}`;

const pointFragment = `#version 300 es
precision highp float;
in vec3 own;
in float back, rimmed, pixels;
uniform vec3 rim, ground;
out vec4 colour;
void main() {
  vec2 at = 2.0 * gl_PointCoord - 1.0;
  float far = length(at);
  if (far > 1.0) discard;
  float soft = 2.0 / max(pixels, 2.0);
  float edge = rimmed > 1.5 ? 0.72 : 0.86;
  // Without room for a rim, a dot is darker instead.
  vec3 lit = pixels > 6.0 ? own * (1.0 - 0.10 * (at.x + at.y)) : mix(own, rim, 0.3);
  float inRim = pixels > 6.0 && rimmed > 0.5 ? smoothstep(edge - soft, edge, far) : 0.0;
  colour = vec4(mix(mix(lit, rim, inRim), ground, 0.45 * back), 1.0 - smoothstep(1.0 - soft, 1.0, far));
}`;

const nodeShader = {
  vertex: pointVertex(`
in vec3 a, b, bend;
in float kind, radius;
in vec3 tint;
in float ring;     // 1: with a rim`, ''),
  fragment: pointFragment,
};

// A packet knows the numbers of its nodes and of its link; places and courses are textures of 1024 texels a row.
const texelsARow = 1024;
const packetShader = {
  vertex: pointVertex(`
in vec3 hop;       // from, to, and twice the link, plus 1 if it is used backwards; below 0: no link
uniform sampler2D places, courses;
uniform vec3 tint;
uniform float radius, ring;
vec4 texel(sampler2D table, int i) { return texelFetch(table, ivec2(i % ${texelsARow}, i / ${texelsARow}), 0); }`, `
  vec3 a = texel(places, int(hop.x)).xyz, b = texel(places, int(hop.y)).xyz, bend = vec3(0.0);
  float kind = 0.0;
  if (hop.z > -0.5) {
    int way = int(hop.z);
    vec4 course = texel(courses, way / 2);
    kind = course.w;
    bend = kind > 1.5 && way % 2 == 1 ? -course.xyz : course.xyz;
  }`),
  fragment: pointFragment,
};
