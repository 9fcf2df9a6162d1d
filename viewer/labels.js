// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The numbers of the nodes, over the picture, as far as there is room; and the node under a pointer.

const mostLabels = 260;

class Labels {
  constructor(canvas) {
    this.canvas = canvas;
    this.context = canvas.getContext('2d');
    this.spots = [];
  }

  draw(scene, layout, matrix, picture, colours, scale) {
    const {canvas, context} = this, ratio = window.devicePixelRatio || 1;
    if (canvas.width !== picture.canvas.width || canvas.height !== picture.canvas.height) {
      canvas.width = picture.canvas.width;
      canvas.height = picture.canvas.height;
    }
    context.clearRect(0, 0, canvas.width, canvas.height);
    this.spots = [];
    this.matrix = matrix;
    if (scene.nodes > mostLabels) return;
    context.textAlign = 'center';
    context.textBaseline = 'middle';
    for (let node = 0; node < scene.nodes; ++node) {
      const at = projected(matrix, layout.places.subarray(3 * node, 3 * node + 3), canvas.width, canvas.height);
      const radius = picture.radius * scale / at.depth;
      this.spots.push({node, ...at, radius});
    }
    this.spots.sort((a, b) => b.depth - a.depth);
    const nearest = this.spots[this.spots.length - 1].depth, farthest = this.spots[0].depth;
    for (const {node, x, y, depth, radius} of this.spots) {
      const text = String(node), size = Math.min(15 * ratio, 1.75 * radius / Math.max(1.25, 0.62 * text.length));
      if (size < 7 * ratio) continue;
      context.font = `600 ${size}px system-ui, "DejaVu Sans", sans-serif`;
      context.fillStyle = inkOn(colours[node]);
      context.globalAlpha = 1 - 0.3 * (depth - nearest) / Math.max(farthest - nearest, 1e-6);
      if (!this.isCovered(node, x, y, radius)) context.fillText(text, x, y + 0.04 * size);
    }
  }

  // By the middle of a node in front.
  isCovered(node, x, y, radius) {
    const own = this.spots.find((spot) => spot.node === node);
    return this.spots.some(
        (spot) => spot.depth < own.depth && Math.hypot(spot.x - x, spot.y - y) < 0.8 * spot.radius &&
            spot.radius > 0.3 * radius);
  }

  // The node at a place in CSS pixels, or -1.
  nodeAt(scene, layout, x, y) {
    if (!this.matrix) return -1;
    const {canvas} = this, ratio = window.devicePixelRatio || 1;
    let best = -1, least = 14 * ratio;
    for (let node = 0; node < scene.nodes; ++node) {
      const at = projected(this.matrix, layout.places.subarray(3 * node, 3 * node + 3), canvas.width, canvas.height);
      const far = Math.hypot(at.x - x * ratio, at.y - y * ratio) + 1e-3 * at.depth;
      if (far < least) {
        best = node;
        least = far;
      }
    }
    return best;
  }
}
