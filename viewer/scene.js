// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The scene of isotrope/io/scene.hpp: the network with its two layouts, and the hops as the plan lists them. A hop of a
// replicated stage stands for all its translates.

const straight = 0, arc = 1, stub = 2;

class Scene {
  constructor(picture) {
    const data = picture.scene;
    this.title = picture.title;
    this.data = data;
    this.nodes = data.nodes;
    this.group = new Group(data.moduli);
    this.ports = data.generators.length;
    this.stages = data.stages.map((stage) => new Stage(stage, this.group));
    this.firstRound = [];
    this.rounds = 0;
    for (const stage of this.stages) {
      this.firstRound.push(this.rounds);
      this.rounds += stage.rounds.length;
    }
    this.failedNodes = new Set(data.failed_nodes);
    this.readLinks();
    this.layouts = {solid: this.layoutOf(data.solid), flat: data.flat && this.layoutOf(data.flat)};
    // Every hop of the largest round, all nodes together.
    this.largestRound = Math.max(
        0,
        ...this.stages.map(
            (stage) => stage.copies * stage.rounds.reduce((most, hops) => Math.max(most, hops.length / 3), 0)));
  }

  neighbour(node, port) { return this.group.add(node, this.data.generators[port]); }

  // The stage of a round and the number of the round in it.
  stageAt(round) {
    let index = this.stages.length - 1;
    while (index > 0 && this.firstRound[index] > round) --index;
    return {stage: this.stages[index], index, local: round - this.firstRound[index]};
  }

  // Numbers of the links by their directed links, and their ends.
  readLinks() {
    const {links, ends} = this.data, count = links.length / 2, ports = ends.length;
    this.linkOf = new Int32Array(this.nodes * ports).fill(-1);
    this.reversed = new Uint8Array(this.nodes * ports);
    this.linkFrom = new Int32Array(count);
    this.linkTo = new Int32Array(count);
    const opposite = oppositePorts(ends, this.group);
    for (let i = 0; i < count; ++i) {
      const from = links[2 * i], port = links[2 * i + 1], to = this.group.add(from, ends[port]);
      this.linkFrom[i] = from;
      this.linkTo[i] = to;
      this.linkOf[from * ports + port] = i;
      const back = to * ports + opposite[port];
      if (this.linkOf[back] < 0) this.reversed[back] = 1;
      this.linkOf[back] = i;
    }
    this.readHops();
    this.failedLinks = new Set();
    const failed = this.data.failed_links;
    for (let i = 0; i < failed.length; i += 2) this.failedLinks.add(this.linkOf[failed[i] * ports + failed[i + 1]]);
    for (let i = 0; i < count; ++i)
      if (this.failedNodes.has(this.linkFrom[i]) || this.failedNodes.has(this.linkTo[i])) this.failedLinks.add(i);
  }

  // By node * ports + port of the hops: the receiver, and the link as twice its number, plus 1 if the node is its far
  // end; -1 over an overlay.
  readHops() {
    const {ports, nodes} = this, {overlay} = this.data;
    this.receiver = new Int32Array(nodes * ports);
    this.wayOf = new Int32Array(nodes * ports).fill(-1);
    for (let node = 0, hop = 0; node < nodes; ++node)
      for (let port = 0; port < ports; ++port, ++hop) {
        this.receiver[hop] = this.neighbour(node, port);
        if (!overlay && this.linkOf[hop] >= 0) this.wayOf[hop] = 2 * this.linkOf[hop] + this.reversed[hop];
      }
  }

  // The link of a hop, or -1 if it goes over the ports of an overlay.
  linkOfHop(from, port) { return this.data.overlay ? -1 : this.linkOf[from * this.ports + port]; }

  layoutOf({places, bent}) {
    const kinds = new Uint8Array(this.linkFrom.length), bends = new Float32Array(3 * this.linkFrom.length);
    for (let i = 0; i < bent.length; i += 5) {
      kinds[bent[i]] = bent[i + 1];
      bends.set(bent.slice(i + 2, i + 5), 3 * bent[i]);
    }
    const isFlat = places.every((value, i) => i % 3 < 2 || value === 0) && !kinds.includes(arc);
    return {places: new Float32Array(places), kinds, bends, isFlat};
  }
}

// The k-th port of a generator has the k-th port of its negative as its opposite.
function oppositePorts(generators, group) {
  const used = new Map(), ports = new Map();
  generators.forEach((generator, port) => ports.set(generator, [...(ports.get(generator) || []), port]));
  return generators.map((generator) => {
    const k = used.get(generator) || 0;
    used.set(generator, k + 1);
    return ports.get(group.negate(generator))[k];
  });
}

// A stage: listed packets and hops, and the translations that stand for the others.
class Stage {
  constructor(data, group) {
    this.group = group;
    this.flow = data.flow;
    this.rounds = data.rounds;
    this.sums = data.sums;
    this.replication = data.replication;
    this.axes = data.axes;
    const count = data.packets.length / 3;
    this.origin = new Int32Array(count);
    this.to = new Int32Array(count);
    this.part = new Int32Array(count);
    for (let i = 0; i < count; ++i) {
      this.origin[i] = data.packets[3 * i];
      this.to[i] = data.packets[3 * i + 1];
      this.part[i] = data.packets[3 * i + 2];
    }
    this.hasParts = this.part.some((part) => part > 0);
    this.alike = new Map();
    this.copies = {none: 1, even: group.order / 2, all: group.order}[this.replication];
  }

  get packets() { return this.origin.length; }

  // Whether adding g maps the stage onto itself.
  isTranslation(g) {
    return this.replication === 'all' || (this.replication === 'none' ? g === 0 : this.classOf(g) === 0);
  }

  // Nodes of one class are translates of each other.
  classOf(node) {
    if (this.replication === 'all') return 0;
    if (this.replication === 'none') return node;
    const coordinates = this.group.coordinates(node);
    return coordinates.reduce((sum, x, axis) => sum + (this.hasAxis(axis) ? x : 0), 0) % 2;
  }

  // The nodes of the class of `node`, ascending.
  nodesAlike(node) {
    const kind = this.classOf(node);
    if (!this.alike.has(kind)) {
      const nodes = [];
      if (this.replication === 'none') nodes.push(node);
      else
        for (let other = 0; other < this.group.order; ++other)
          if (this.classOf(other) === kind) nodes.push(other);
      this.alike.set(kind, Int32Array.from(nodes));
    }
    return this.alike.get(kind);
  }

  hasAxis(axis) { return Math.floor(this.axes / 2 ** axis) % 2 === 1; }

  // All that map the stage onto itself, ascending.
  translations() { return this.replication === 'none' ? [0] : this.nodesAlike(0); }
}
