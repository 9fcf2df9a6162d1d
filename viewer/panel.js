// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The words beside the picture: what happens, the verdict with its reason, links in use, and the hops of the round.

const mostRows = 150;

const byId = (id) => document.getElementById(id);

function counted(number, noun) { return `${number.toLocaleString('en')} ${noun}${number === 1 ? '' : 's'}`; }

// What the collective is for, to one who never heard of it.
function purposeOf(scene) {
  const {collective, root} = scene.data, name = collective.split(':')[0];
  const sentences = {
    broadcast: `Node ${root} has data that every node needs.`,
    scatter: `Node ${root} has a block of its own for every other node.`,
    gather: `Every node has a block for node ${root}.`,
    reduce: `Every node has a vector; node ${root} needs the sum of all.`,
    allgather: 'Every node has a block that all nodes need.',
    alltoall: 'Every node has a block of its own for every other node.',
    'reduce-scatter': 'Every node has a vector; every node needs its own piece of the sum.',
    allreduce: 'Every node has a vector, and all need the sum.',
    scan: 'Every node has a vector, and needs the sum of those up to its own.',
    exscan: 'Every node has a vector, and needs the sum of those before its own.',
    barrier: 'No node may go on before all have come.',
    neighborhood: 'Every node has a block of its own for every node nearby.',
    isotropic: 'Every node has blocks for the same relative destinations.',
    task: 'Some nodes have blocks for others.',
  };
  return sentences[name] || '';
}

function showSentence(scene, player, selection) {
  const end = player.at >= scene.rounds;
  const when = scene.rounds === 0 ? 'Nothing has to move.' :
      end                         ? `Done after ${counted(scene.rounds, 'round')}: everything has arrived.` :
                                    `Round ${player.round} of ${scene.rounds}.`;
  const whom = {
    all: '',
    origin: ` Orange: the packets of node ${selection.origin}; those of all others move alike.`,
    packet: ` Orange: packet ${selection.packet} of node ${selection.origin}.`
  }[selection.what];
  const alike = scene.stages.some((stage) => stage.replication !== 'none');
  byId('sentence').textContent = `${purposeOf(scene)} ${when}${
      alike || selection.what !== 'origin' ? whom : ` Orange: the packets of node ${selection.origin}.`}`;
}

function showProof(proof, seconds) {
  const verdict = byId('verdict'), {findings, words} = proof;
  const line = words.split('\n').find((text) => text.trim().startsWith('verdict')) || '';
  const good = findings.valid && findings.claims_hold;
  verdict.className = good ? 'good' : 'bad';
  verdict.textContent = `${good ? '✓' : '✗'} ${line.replace(/^\s*verdict\s+/, '')}`;
  const first = (findings.violations || [])[0];
  byId('because').textContent = good ?
      `At least ${counted(findings.bound.value, 'round')} are needed: ${findings.bound.because}. The plan takes ${
          findings.rounds}.${nothingToSave(findings)}` :
      first ? `${first.rule}: ${first.message}` :
              '';
  const checked = `checked in this page in ${Math.max(1, Math.round(1000 * seconds))} ms, from the plan alone`;
  byId('words').textContent = `${words}  ${checked}`;
  verdict.dataset.state = good ? 'proved' : 'refused';
}

// If the bound counts hops, and no link is idle, the picture itself shows why.
function nothingToSave({optimal, bound}) {
  const busy = byId('busy-words').textContent.startsWith('Every link');
  return optimal && busy && bound.kind === 'distance-sum' ?
      ' No packet makes a detour and no link is ever idle, so there is nothing left to save.' :
      '';
}

function showRefusal(message) {
  const verdict = byId('verdict');
  verdict.className = 'bad';
  verdict.dataset.state = 'refused';
  verdict.textContent = '✗ This is no plan';
  byId('because').textContent = message;
  byId('words').textContent = message;
}

function showNoChecker(scene) {
  const {bound} = scene.data, verdict = byId('verdict');
  verdict.className = '';
  verdict.dataset.state = 'unchecked';
  verdict.textContent = 'Not checked here: this page holds no checker. Run `isotrope verify` on the plan file.';
  byId('because').textContent = bound.kind ?
      `The plan states that at least ${counted(bound.value, 'round')} are needed: ${bound.because}.` :
      '';
  byId('words').textContent = 'A program that was built by `make viewer` writes pages that check their plans.';
}

// A bar a round: the share of all links that carry a packet.
class BusyChart {
  constructor(canvas) { this.canvas = canvas; }

  setShares(shares) {
    this.shares = shares;
    const full = shares.filter((share) => share > 0.9995).length;
    const mean = shares.reduce((sum, share) => sum + share, 0) / Math.max(1, shares.length);
    byId('busy-words').textContent = !shares.length ? '' :
        full === shares.length ? 'Every link carries a packet in every round: no link is ever idle.' :
                                 `${(100 * mean).toFixed(1)} % of the links on average; all of them in ${full} of ${
                                     counted(shares.length, 'round')}.`;
  }

  // Only the bars whose colour changes, unless size, colours or shares have changed.
  draw(round, theme) {
    const {canvas, shares} = this, ratio = window.devicePixelRatio || 1;
    const width = Math.round(canvas.clientWidth * ratio), height = Math.round(canvas.clientHeight * ratio);
    const bars = Math.min(shares.length, width), context = canvas.getContext('2d');
    const whole = this.drawn?.theme !== theme || this.drawn.shares !== shares || canvas.width !== width ||
        canvas.height !== height;
    if (whole) {
      canvas.width = width;
      canvas.height = height;
    }
    const barOf = (number) => Math.min(bars - 1, Math.floor(number * bars / shares.length));
    const ends = whole ? [0, shares.length - 1] : [this.drawn.round, round];
    for (let i = barOf(Math.min(...ends)); bars && i <= barOf(Math.max(...ends)); ++i) {
      const first = Math.ceil(i * shares.length / bars), next = Math.ceil((i + 1) * shares.length / bars);
      const left = i * width / bars, step = width / bars;
      const colour = first <= round && round < next ? theme.followed : first < round ? theme.full : theme.idle;
      const tall = Math.max(1, shares[first] * (height - 2));
      context.fillStyle = css(colour);
      context.fillRect(left, height - tall, Math.max(1, step - (step > 4 ? 2 * ratio : 0)), tall);
    }
    context.fillStyle = css(theme.rim);
    context.fillRect(0, 0, width, 1);
    this.drawn = {round, theme, shares};
  }

  roundAt(x) { return Math.floor(x / this.canvas.clientWidth * this.shares.length); }
}

function showHops(scene, motion, round, selection) {
  const rows = [];
  const overlay = scene.data.overlay;
  motion.forEachHop(round, selection, (packet, from, port, origin, g) => {
    if (rows.length >= mostRows) return false;
    const {what, to} = motion.nameOf(round, packet, origin, g);
    rows.push(
        `<tr${selection.what === 'all' && origin === selection.origin ? ' class="followed"' : ''}><td>${from}</td>` +
        `<td>${scene.receiver[from * scene.ports + port]}</td><td>${what}</td><td>${to}</td></tr>`);
    return true;
  });
  const more = motion.hopCount(round, selection) - rows.length;
  byId('hops').innerHTML = rows.join('');
  byId('more').textContent = round >= scene.rounds ? 'No more rounds.' :
      rows.length === 0                            ? 'None of these packets moves in this round.' :
                                                     (more ? `... and ${counted(more, 'more hop')}.` : '') +
          (overlay ? ' The machine routes these messages over its links.' : '');
}

function showKey(theme, scene, selection, holdings) {
  const stageFlow = holdings.stage.flow;
  const share = {
    copy: 'what a node knows',
    move: selection.what === 'all' ? 'what has arrived at a node' : 'where packets are',
    reduce: 'what is summed at a node',
    exchange: 'whose data a node has',
    'reduce-then-copy': 'what is summed at a node'
  }[stageFlow];
  const scaled = (from, to) => `background:linear-gradient(90deg,${css(from)},${css(to)})`;
  const followed = selection.what === 'packet' ? 'the packet' : `packets of node ${selection.origin}`;
  byId('key').innerHTML =
      `<span><i style="background:${css(theme.followed)}"></i>${followed}</span>` +
      (selection.what === 'all' ?
           `<span><i style="background:${css(theme.other)}"></i>packets of other nodes</span>` :
           '') +
      `<span><i class="wide" style="${scaled(theme.empty, theme.full)}"></i>${share}: none to all</span>` +
      `<span><i class="wide" style="${
          scaled(theme.idle, theme.loaded)}"></i>packets that a link has carried: none to most</span>`;
}
