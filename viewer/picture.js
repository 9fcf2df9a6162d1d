// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The picture: links as instanced ribbons, nodes and packets as points. Buffers are filled when the layout or the
// round changes; between rounds only `progress` changes, so a frame costs five drawing calls.

class Picture {
  constructor(canvas) {
    this.canvas = canvas;
    const gl = this.gl = canvas.getContext('webgl2', {antialias: true});
    this.links = this.program(linkShader);
    this.points = this.program(nodeShader);
    this.dots = this.program(packetShader);
    this.lines = this.ribbons(1);
    this.arcs = this.ribbons(20);
    this.coarseArcs = this.ribbons(5);
    this.nodes = this.pointBuffer();
    this.packets = this.packetBuffer();
    this.places = this.table();
    this.courses = this.table();
  }

  program({vertex, fragment}) {
    const {gl} = this, program = gl.createProgram();
    for (const [type, source] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]]) {
      const shader = gl.createShader(type);
      gl.shaderSource(shader, source);
      gl.compileShader(shader);
      if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) throw new Error(gl.getShaderInfoLog(shader));
      gl.attachShader(program, shader);
    }
    gl.linkProgram(program);
    const uniforms = {};
    for (let i = 0; i < gl.getProgramParameter(program, gl.ACTIVE_UNIFORMS); ++i) {
      const {name} = gl.getActiveUniform(program, i);
      uniforms[name] = gl.getUniformLocation(program, name);
    }
    return {program, uniforms, attribute: (name) => gl.getAttribLocation(program, name)};
  }

  // Attributes as [name, numbers], one after the other in the buffer that is bound.
  attributes(program, list, divisor) {
    const {gl} = this, stride = 4 * list.reduce((sum, [, count]) => sum + count, 0);
    let offset = 0;
    for (const [name, count] of list) {
      const at = program.attribute(name);
      if (at >= 0) {
        gl.enableVertexAttribArray(at);
        gl.vertexAttribPointer(at, count, gl.FLOAT, false, stride, offset);
        gl.vertexAttribDivisor(at, divisor);
      }
      offset += 4 * count;
    }
  }

  // A strip of `pieces` for each of many links.
  ribbons(pieces) {
    const {gl} = this, array = gl.createVertexArray(), strip = [];
    for (let i = 0; i <= pieces; ++i) strip.push(i / pieces, -1, i / pieces, 1);
    gl.bindVertexArray(array);
    gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
    gl.bufferData(gl.ARRAY_BUFFER, new Float32Array(strip), gl.STATIC_DRAW);
    this.attributes(this.links, [['at', 2]], 0);
    const courses = gl.createBuffer(), loads = gl.createBuffer();
    gl.bindBuffer(gl.ARRAY_BUFFER, courses);
    this.attributes(this.links, [['a', 3], ['b', 3], ['bend', 3], ['kind', 1]], 1);
    gl.bindBuffer(gl.ARRAY_BUFFER, loads);
    this.attributes(this.links, [['load', 1]], 1);
    return {array, courses, loads, vertices: strip.length / 2, count: 0, linkOf: []};
  }

  pointBuffer() {
    const {gl} = this, array = gl.createVertexArray(), buffer = gl.createBuffer();
    gl.bindVertexArray(array);
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    this.attributes(
        this.points, [['a', 3], ['b', 3], ['bend', 3], ['kind', 1], ['radius', 1], ['tint', 3], ['ring', 1]], 0);
    return {array, buffer, count: 0};
  }

  packetBuffer() {
    const {gl} = this, array = gl.createVertexArray(), buffer = gl.createBuffer();
    gl.bindVertexArray(array);
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    this.attributes(this.dots, [['hop', 3]], 0);
    return {array, buffer, data: new Float32Array(3 * 1024), count: 0, followed: []};
  }

  // A texture of four numbers a texel, in rows.
  table() {
    const {gl} = this, texture = gl.createTexture();
    gl.bindTexture(gl.TEXTURE_2D, texture);
    for (const name of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER]) gl.texParameteri(gl.TEXTURE_2D, name, gl.NEAREST);
    return texture;
  }

  // Texel i is [...three of `vectors`, last(i)].
  fillTable(texture, count, vectors, last) {
    const {gl} = this, rows = Math.max(1, Math.ceil(count / texelsARow)), data = new Float32Array(4 * texelsARow * rows);
    for (let i = 0; i < count; ++i) {
      for (let k = 0; k < 3; ++k) data[4 * i + k] = vectors[3 * i + k];
      data[4 * i + 3] = last(i);
    }
    gl.bindTexture(gl.TEXTURE_2D, texture);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA32F, texelsARow, rows, 0, gl.RGBA, gl.FLOAT, data);
  }

  setLayout(scene, layout) {
    this.scene = scene;
    this.layout = layout;
    this.fillTable(this.places, scene.nodes, layout.places, () => 0);
    this.fillTable(this.courses, layout.kinds.length, layout.bends, (link) => layout.kinds[link]);
    const straightData = [], arcData = [];
    this.lines.linkOf = [];
    this.arcs.linkOf = [];
    for (let link = 0; link < scene.linkFrom.length; ++link) {
      const a = this.placeOf(scene.linkFrom[link]), b = this.placeOf(scene.linkTo[link]);
      const bend = Array.from(layout.bends.subarray(3 * link, 3 * link + 3));
      if (layout.kinds[link] === arc) {
        arcData.push(...a, ...b, ...bend, arc);
        this.arcs.linkOf.push(link);
      } else if (layout.kinds[link] === stub) {
        straightData.push(...a, ...a.map((value, i) => value + bend[i]), 0, 0, 0, 0);
        straightData.push(...b, ...b.map((value, i) => value - bend[i]), 0, 0, 0, 0);
        this.lines.linkOf.push(link, link);
      } else {
        straightData.push(...a, ...b, 0, 0, 0, 0);
        this.lines.linkOf.push(link);
      }
    }
    this.fill(this.lines.courses, straightData);
    // Of very many arcs nobody sees the corners.
    const arcs = this.shownArcs = this.arcs.linkOf.length > 3000 ? this.coarseArcs : this.arcs;
    arcs.linkOf = this.arcs.linkOf;
    this.fill(arcs.courses, arcData);
    this.lines.count = this.lines.linkOf.length;
    arcs.count = arcs.linkOf.length;
    this.radius = nodeRadius(scene, layout);
  }

  placeOf(node) { return Array.from(this.layout.places.subarray(3 * node, 3 * node + 3)); }

  fill(buffer, data) {
    const {gl} = this;
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    gl.bufferData(gl.ARRAY_BUFFER, data instanceof Float32Array ? data : new Float32Array(data), gl.DYNAMIC_DRAW);
  }

  // A load of 0..1 a link, below 0 for failed ones.
  setLoads(loads) {
    for (const ribbons of [this.lines, this.shownArcs]) {
      const {linkOf} = ribbons, shown = new Float32Array(linkOf.length);
      for (let i = 0; i < shown.length; ++i) shown[i] = loads[linkOf[i]];
      this.fill(ribbons.loads, shown);
    }
  }

  // Colours and rims, a node each: 0 none, 1 thin, 2 thick.
  setNodes(colours, rims) {
    const data = new Float32Array(15 * this.scene.nodes), {places} = this.layout;
    for (let node = 0; node < this.scene.nodes; ++node) {
      const at = 15 * node;
      data.set(places.subarray(3 * node, 3 * node + 3), at);
      data.set(places.subarray(3 * node, 3 * node + 3), at + 3);
      data[at + 10] = this.radius * (rims[node] > 1 ? 1.2 : 1);
      data.set(colours[node], at + 11);
      data[at + 14] = rims[node];
    }
    this.fill(this.nodes.buffer, data);
    this.nodes.count = this.scene.nodes;
  }

  // Packets are added between beginPackets and endPackets; room grows as needed.
  beginPackets() {
    this.packets.count = 0;
    this.packets.followed = [];
  }

  // A packet of every sender over its port; that of sender `followed` is drawn in front.
  addPackets(senders, port, followed) {
    const {packets, scene} = this, {ports} = scene, needed = 3 * (packets.count + senders.length);
    if (needed > packets.data.length) {
      const larger = new Float32Array(2 * needed);
      larger.set(packets.data.subarray(0, 3 * packets.count));
      packets.data = larger;
    }
    const {data} = packets;
    let at = 3 * packets.count;
    for (let i = 0; i < senders.length; ++i) {
      const from = senders[i], hop = from * ports + port;
      if (from === followed) {
        packets.followed.push(from, scene.receiver[hop], scene.wayOf[hop]);
        continue;
      }
      data[at] = from;
      data[at + 1] = scene.receiver[hop];
      data[at + 2] = scene.wayOf[hop];
      at += 3;
    }
    packets.count = at / 3;
  }

  endPackets() {
    const {gl, packets} = this, size = 3 * packets.count;
    gl.bindBuffer(gl.ARRAY_BUFFER, packets.buffer);
    gl.bufferData(gl.ARRAY_BUFFER, 4 * (size + packets.followed.length), gl.DYNAMIC_DRAW);
    gl.bufferSubData(gl.ARRAY_BUFFER, 0, packets.data, 0, size);
    gl.bufferSubData(gl.ARRAY_BUFFER, 4 * size, new Float32Array(packets.followed));
  }

  drawPackets(theme, shared) {
    const {gl, packets, places, courses} = this, many = this.scene.largestRound > 1000;
    [places, courses].forEach((texture, unit) => {
      gl.activeTexture(gl.TEXTURE0 + unit);
      gl.bindTexture(gl.TEXTURE_2D, texture);
    });
    gl.bindVertexArray(packets.array);
    this.use(this.dots, {...shared, tint: theme.other, radius: (many ? 0.3 : 0.42) * this.radius, ring: 1});
    gl.uniform1i(this.dots.uniforms.places, 0);
    gl.uniform1i(this.dots.uniforms.courses, 1);
    gl.drawArrays(gl.POINTS, 0, packets.count);
    this.use(this.dots, {tint: theme.followed, radius: 0.62 * this.radius});
    gl.drawArrays(gl.POINTS, packets.count, packets.followed.length / 3);
    gl.activeTexture(gl.TEXTURE0);
  }

  resize() {
    const {canvas} = this, ratio = window.devicePixelRatio || 1;
    const width = Math.max(1, Math.round(canvas.clientWidth * ratio)),
          height = Math.max(1, Math.round(canvas.clientHeight * ratio));
    if (canvas.width !== width || canvas.height !== height) {
      canvas.width = width;
      canvas.height = height;
    }
    return {width, height, ratio};
  }

  draw(camera, theme, progress, showPackets) {
    const {gl} = this, {width, height, ratio} = this.resize(), matrix = camera.matrix(width, height);
    gl.viewport(0, 0, width, height);
    gl.clearColor(...theme.back, 1);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA);
    gl.enable(gl.DEPTH_TEST);
    gl.depthFunc(gl.LEQUAL);
    // Depth beyond the middle of a flat picture is no depth.
    const middle = camera.isFlat ? 1 : projected(matrix, camera.middle, width, height).depth;
    const range = camera.isFlat ? [2, 3] : [middle - camera.radius * 0.9, middle + camera.radius];
    const shared = {matrix, size: [width, height], range, ground: theme.back};
    const many = this.lines.count > 2000;
    this.use(this.links, {
      ...shared,
      idle: theme.idle,
      loaded: theme.loaded,
      failed: theme.failed,
      width: (many ? 0.6 : 1.5) * ratio,
      faint: many ? 0.4 : 0
    });
    for (const ribbons of [this.lines, this.shownArcs]) {
      gl.bindVertexArray(ribbons.array);
      gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, ribbons.vertices, ribbons.count);
    }
    const scale = camera.isFlat ? Math.abs(matrix[5]) * height / 2 : height / 2 / Math.tan(0.31);
    this.use(
        this.points, {...shared, rim: theme.rim, progress: 0, scale, least: 2 * ratio, lane: 0, depth: camera.depth});
    gl.bindVertexArray(this.nodes.array);
    gl.drawArrays(gl.POINTS, 0, this.nodes.count);
    const shown = this.packets.count + this.packets.followed.length / 3;
    if (showPackets && shown) {
      // Packets pass in front of nodes, so that arrivals are seen.
      gl.disable(gl.DEPTH_TEST);
      const busy = shown > 3000;
      this.drawPackets(theme, {
        ...shared,
        rim: theme.rim,
        progress,
        scale,
        least: (busy ? 3 : 5) * ratio,
        lane: busy ? 1.2 * ratio : 4 * ratio,
        depth: camera.depth
      });
    }
    return matrix;
  }

  use({program, uniforms}, values) {
    const {gl} = this;
    gl.useProgram(program);
    for (const [name, value] of Object.entries(values)) {
      if (!uniforms[name]) continue;
      if (name === 'matrix')
        gl.uniformMatrix4fv(uniforms[name], false, value);
      else if (!Array.isArray(value))
        gl.uniform1f(uniforms[name], value);
      else if (value.length === 2)
        gl.uniform2fv(uniforms[name], value);
      else
        gl.uniform3fv(uniforms[name], value);
    }
  }
}

// In a browser without WebGL2: nothing is drawn, all else works.
class NoPicture {
  constructor(canvas) { this.canvas = canvas; }
  setLayout() {}
  setLoads() {}
  setNodes() {}
  beginPackets() {}
  addPackets() {}
  endPackets() {}
  draw() { return null; }
}

function pictureOn(canvas) {
  return document.createElement('canvas').getContext('webgl2') ? new Picture(canvas) : new NoPicture(canvas);
}

// A part of the middle length of straight links, but no more than suits the shortest.
function nodeRadius(scene, {places, kinds}) {
  const lengths = [];
  for (let link = 0; link < scene.linkFrom.length && lengths.length < 20000; ++link) {
    if (kinds[link] !== straight) continue;
    const a = 3 * scene.linkFrom[link], b = 3 * scene.linkTo[link];
    lengths.push(Math.hypot(places[a] - places[b], places[a + 1] - places[b + 1], places[a + 2] - places[b + 2]));
  }
  lengths.sort((a, b) => a - b);
  if (!lengths.length) return 0.2;
  return Math.max(0.02, Math.min(0.17 * lengths[lengths.length >> 1], 0.35 * lengths[0]));
}
