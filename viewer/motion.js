// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Which hops are shown: of all origins, of one origin, or of one packet; and how much the links have carried.
//
// Limits: above 4096 nodes or 100,000 hops a round, one origin at a time is shown.

const mostNodes = 4096, mostHops = 100000;

// {what: 'all' | 'origin' | 'packet', origin, packet}
class Motion {
  constructor(scene) {
    this.scene = scene;
    this.tooLarge = scene.nodes > mostNodes || scene.largestRound > mostHops;
    this.holdings = scene.stages.map((stage) => holdingsOf(stage, scene));
  }

  holdingsAt(round) {
    const end = round >= this.scene.rounds && this.scene.rounds > 0;
    const {index, stage, local} = this.scene.stageAt(end ? this.scene.rounds - 1 : round);
    const holdings = this.holdings[index];
    holdings.goTo(end ? stage.rounds.length : local);
    return holdings;
  }

  // Calls f(packet, from, port, origin, g) for the shown hops of a round until it returns false; g translates the listed
  // packet.
  forEachHop(round, selection, f) {
    if (round < 0 || round >= this.scene.rounds) return;
    const {stage, local} = this.scene.stageAt(round), hops = stage.rounds[local], {group} = stage;
    const holdings = stage.flow === 'exchange' ? this.holdingsAt(round) : null;
    const shifts = selection.what === 'all' || holdings ? stage.translations() : null;
    for (let i = 0; i < hops.length; i += 3) {
      const packet = hops[i], from = hops[i + 1], port = hops[i + 2];
      if (selection.what === 'packet' && packet !== selection.packet && !holdings) continue;
      const base = holdings ? 0 : stage.origin[packet];
      if (!shifts) {
        const g = group.subtract(selection.origin, base);
        if (stage.isTranslation(g) && f(packet, group.add(from, g), port, selection.origin, g) === false) return;
        continue;
      }
      for (const g of shifts) {
        const sender = group.add(from, g);
        const shown = selection.what === 'all' || holdings.carries(packet, sender, selection.origin);
        if (shown && f(packet, sender, port, holdings ? sender : group.add(base, g), g) === false) return;
      }
    }
  }

  // How many hops of a round are shown.
  hopCount(round, selection) {
    if (round < 0 || round >= this.scene.rounds) return 0;
    const {stage, local} = this.scene.stageAt(round);
    if (selection.what === 'all') return stage.copies * stage.rounds[local].length / 3;
    let count = 0;
    this.forEachHop(round, selection, () => {
      ++count;
    });
    return count;
  }

  // Calls f(senders, port, followed) for the hops of a round that are shown: `senders` use the port alike, and the packet of
  // sender `followed` is the selected origin's; -1 if none is.
  forEachSend(round, selection, f) {
    if (selection.what !== 'all') {
      this.forEachHop(round, selection, (packet, from, port) => {
        f([from], port, from);
      });
      return;
    }
    if (round < 0 || round >= this.scene.rounds) return;
    const {stage, local} = this.scene.stageAt(round), hops = stage.rounds[local], {group} = stage;
    for (let i = 0; i < hops.length; i += 3) {
      const from = hops[i + 1];
      let followed = selection.origin;
      if (stage.flow !== 'exchange') {
        const g = group.subtract(selection.origin, stage.origin[hops[i]]);
        followed = stage.isTranslation(g) ? group.add(from, g) : -1;
      }
      f(stage.nodesAlike(from), hops[i + 2], followed);
    }
  }

  // What a packet is, for people.
  nameOf(round, packet, origin, g) {
    const {stage} = this.scene.stageAt(round), part = stage.part[packet];
    const ofPart = stage.hasParts ? `, part ${part}` : '';
    if (stage.flow === 'exchange') {
      const count = stage.sums[packet].values.length;
      return {what: count === 1 ? 'one value' : `a sum of ${count} values`, to: ''};
    }
    const to = stage.to[packet];
    if (stage.flow !== 'move' && stage.flow !== 'copy') return {what: `partial result${ofPart}`, to: origin};
    return {what: `block of ${origin}${ofPart}`, to: to < 0 ? 'all' : stage.group.add(to, g)};
  }

  // How many packets each link has carried before `round`, both ways together. Of all origins, every node of a class
  // uses a port alike, so listed hops are counted once a class.
  loads(round, selection) {
    const {scene} = this, {ports} = scene, loads = new Float32Array(scene.linkFrom.length);
    if (scene.data.overlay) return loads;
    if (selection.what !== 'all' || scene.stages.some((stage) => stage.replication === 'none')) {
      if (this.counted && this.counted.round <= round && this.counted.key === JSON.stringify(selection))
        loads.set(this.counted.loads);
      else
        this.counted = {round: 0};
      for (let t = this.counted.round; t < round; ++t)
        this.forEachHop(t, selection, (packet, from, port) => {
          ++loads[scene.linkOfHop(from, port)];
        });
      this.counted = {round, key: JSON.stringify(selection), loads: loads.slice()};
      return loads;
    }
    const byClass = scene.stages.map(
        (stage) => this.loadsOfClasses(stage, round - scene.firstRound[scene.stages.indexOf(stage)]));
    for (let node = 0; node < scene.nodes; ++node)
      scene.stages.forEach((stage, s) => {
        const base = stage.classOf(node) * ports;
        for (let port = 0; port < ports; ++port) {
          const link = scene.linkOf[node * ports + port];
          if (link >= 0) loads[link] += byClass[s][base + port];
        }
      });
    return loads;
  }

  loadsOfClasses(stage, local) {
    const {ports} = this.scene, counts = new Float32Array(2 * ports);
    for (let t = 0; t < Math.min(local, stage.rounds.length); ++t)
      for (let i = 0; i < stage.rounds[t].length; i += 3)
        ++counts[stage.classOf(stage.rounds[t][i + 1]) * ports + stage.rounds[t][i + 2]];
    return counts;
  }

  // The share of directed links in use, a round each.
  utilisation() {
    const {scene} = this, working = 2 * (scene.linkFrom.length - scene.failedLinks.size), result = [];
    for (const stage of scene.stages)
      for (const hops of stage.rounds) {
        const used = new Set();
        for (let i = 0; i < hops.length; i += 3)
          used.add(
              stage.replication === 'none' ? hops[i + 1] * scene.ports + hops[i + 2] :
                                             stage.classOf(hops[i + 1]) * scene.ports + hops[i + 2]);
        result.push(working ? Math.min(1, used.size * stage.copies / working) : 0);
      }
    return result;
  }
}
