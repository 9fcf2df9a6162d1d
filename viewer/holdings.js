// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// What nodes hold at the start of a round of a stage, by replaying the listed hops; translation gives what they hold of
// every other origin. All sends of a round leave before any packet arrives.
//
//     share(node, origin)    0..1, of what `origin` sends (in a reduction: of what ends at `origin`) the share at
//     `node`
//     share(node)            0..1, of everything that the node will hold or hand on
//     where(packet)          the nodes that hold a listed packet

function holdingsOf(stage, scene) {
  const kinds = {
    copy: CopyHoldings,
    move: MoveHoldings,
    reduce: SumHoldings,
    'reduce-then-copy': SumHoldings,
    exchange: ExchangeHoldings
  };
  return new kinds[stage.flow](stage, scene);
}

class Holdings {
  constructor(stage, scene) {
    this.stage = stage;
    this.scene = scene;
    this.reset();
  }

  // Goes to the start of round `local` of the stage.
  goTo(local) {
    if (local < this.local) this.reset();
    while (this.local < local) this.play(this.stage.rounds[this.local++]);
  }

  reset() {
    this.local = 0;
    this.start();
  }

  // The listed packets of an origin, each with the translation that makes it one of this origin's.
  packetsOf(origin) {
    const {stage} = this, result = [];
    for (let packet = 0; packet < stage.packets; ++packet) {
      const g = stage.group.subtract(origin, stage.origin[packet]);
      if (stage.isTranslation(g)) result.push({packet, g});
    }
    return result;
  }

  share(node, origin) {
    const {group} = this.stage;
    if (origin === undefined) return this.shareOfAll(node);
    if (this.cachedOrigin !== origin) {
      this.cachedOrigin = origin;
      this.cachedPackets = this.packetsOf(origin);
    }
    let sum = 0;
    for (const {packet, g} of this.cachedPackets) sum += this.amount(packet, group.subtract(node, g));
    return Math.min(1, sum / this.fullAmount(this.cachedPackets.length));
  }

  // The nodes of a class hold alike in all: translates of listed packets at one of them are listed packets at others.
  shareOfAll(node) {
    if (this.allAt !== this.local) {
      this.allAt = this.local;
      this.all = this.amounts();
    }
    return this.all[this.stage.classOf(node)] || 0;
  }
}

// Every sender keeps its packet.
class CopyHoldings extends Holdings {
  start() {
    const {stage, scene} = this;
    this.known = Array.from({length: stage.packets}, (_, packet) => new Set([stage.origin[packet]]));
  }

  play(hops) {
    const arrivals = [];
    for (let i = 0; i < hops.length; i += 3) arrivals.push(hops[i], this.scene.neighbour(hops[i + 1], hops[i + 2]));
    for (let i = 0; i < arrivals.length; i += 2) this.known[arrivals[i]].add(arrivals[i + 1]);
  }

  amount(packet, node) { return this.known[packet].has(node) ? 1 : 0; }

  fullAmount(packets) { return packets; }

  amounts() {
    const {stage} = this, sums = new Float64Array(stage.replication === 'none' ? this.scene.nodes : 2);
    for (const nodes of this.known)
      for (const node of nodes) ++sums[stage.classOf(node)];
    const listed = stage.packets * (stage.replication === 'none' ? 1 : stage.copies / this.scene.nodes);
    const full = stage.replication === 'even' ? stage.packets * this.scene.nodes / 2 :
        stage.replication === 'all'           ? stage.packets * this.scene.nodes :
                                                listed;
    return sums.map((sum) => sum / full);
  }

  where(packet) { return this.known[packet]; }
}

// A packet is at one node, in the end at its destination.
class MoveHoldings extends Holdings {
  start() { this.at = Int32Array.from(this.stage.origin); }

  play(hops) {
    for (let i = 0; i < hops.length; i += 3) this.at[hops[i]] = this.scene.neighbour(hops[i + 1], hops[i + 2]);
  }

  // A packet on its way counts less than one that has arrived.
  amount(packet, node) {
    if (this.at[packet] !== node) return 0;
    return this.stage.to[packet] === node ? 1 : 0.4 / this.cachedPackets.length + 0.25;
  }

  fullAmount() { return 1; }

  amounts() {
    const {stage, scene} = this, size = stage.replication === 'none' ? scene.nodes : 2;
    const arrived = new Float64Array(size), all = new Float64Array(size);
    for (let packet = 0; packet < stage.packets; ++packet) {
      const to = stage.to[packet];
      if (to < 0) continue;
      ++all[stage.classOf(to)];
      if (this.at[packet] === to) ++arrived[stage.classOf(to)];
    }
    return arrived.map((count, i) => (all[i] ? count / all[i] : 0));
  }

  where(packet) { return new Set([this.at[packet]]); }
}

// Partial results, which a sender gives up and the receiver adds to its own; once complete, they may be copied.
class SumHoldings extends Holdings {
  start() {
    const {stage, scene} = this;
    this.full = scene.nodes - scene.failedNodes.size;
    this.weight = Array.from({length: stage.packets}, () => {
      const weight = new Float64Array(scene.nodes).fill(1);
      for (const node of scene.failedNodes) weight[node] = 0;
      return weight;
    });
  }

  play(hops) {
    const moved = [];
    for (let i = 0; i < hops.length; i += 3) {
      const weight = this.weight[hops[i]], from = hops[i + 1], amount = weight[from];
      moved.push([weight, this.scene.neighbour(from, hops[i + 2]), amount]);
      if (amount < this.full || this.stage.flow === 'reduce') weight[from] = 0;
    }
    for (const [weight, to, amount] of moved) weight[to] = Math.min(this.full, weight[to] + amount);
  }

  amount(packet, node) {
    const weight = this.weight[packet][node];
    return weight === 0 ? 0 : 0.2 + 0.8 * weight / this.full;
  }

  fullAmount(packets) { return packets; }

  amounts() {
    const {stage, scene} = this, sums = new Float64Array(stage.replication === 'none' ? scene.nodes : 2);
    for (const weight of this.weight) weight.forEach((value, node) => (sums[stage.classOf(node)] += value));
    const most = Math.max(1, ...sums);
    return sums.map((sum) => sum / most);
  }

  where(packet) {
    const result = new Set();
    this.weight[packet].forEach((weight, node) => weight > 0 && result.add(node));
    return result;
  }
}

// Sums of numbered values. Of each value the contributing nodes are known, for one node of every class.
class ExchangeHoldings extends Holdings {
  start() {
    const {stage, scene} = this, parts = 1 + Math.max(0, ...stage.sums.map((sum) => sum.part));
    this.representatives = new Map();
    for (let node = 0; node < scene.nodes; ++node) {
      const kind = stage.classOf(node);
      if (!this.representatives.has(kind)) this.representatives.set(kind, node);
    }
    this.values = new Map();
    for (const node of this.representatives.values())
      this.values.set(node, Array.from({length: parts}, () => [new Set([node])]));
  }

  // The contributors to a sum of `node`, which is a translate of its representative.
  contributors(node, {part, values}) {
    const {group} = this.stage, base = this.representatives.get(this.stage.classOf(node));
    const g = group.subtract(node, base), result = new Set();
    for (const value of values)
      for (const from of this.values.get(base)[part][value] || []) result.add(group.add(from, g));
    return result;
  }

  play(hops) {
    const {stage, scene} = this, arrivals = [];
    for (let i = 0; i < hops.length; i += 3) {
      const sum = stage.sums[hops[i]], to = scene.neighbour(hops[i + 1], hops[i + 2]);
      const base = this.representatives.get(stage.classOf(to)), g = stage.group.subtract(base, to);
      arrivals.push([base, sum, this.contributors(stage.group.add(hops[i + 1], g), sum)]);
    }
    for (const [base, sum, set] of arrivals) this.values.get(base)[sum.part].push(set);
  }

  held(node) {
    const base = this.representatives.get(this.stage.classOf(node)), result = new Set();
    for (const part of this.values.get(base))
      for (const set of part)
        for (const from of set) result.add(from);
    return {set: result, g: this.stage.group.subtract(node, base)};
  }

  share(node, origin) {
    if (origin === undefined) return this.shareOfAll(node);
    const {set, g} = this.held(node);
    return set.has(this.stage.group.subtract(origin, g)) ? 1 : 0;
  }

  amounts() {
    const result = [];
    for (const [kind, node] of this.representatives)
      result[kind] = this.held(node).set.size / (this.scene.nodes - this.scene.failedNodes.size);
    return result;
  }

  // Whether the message of a listed hop, translated by g, holds the contribution of `origin`.
  carries(sum, sender, origin) { return this.contributors(sender, this.stage.sums[sum]).has(origin); }

  where() { return new Set(); }
}
