// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The page: opens the plan that it holds or one that is dropped, draws it, and has it checked. With a checker,
// picture and proof come from the same bytes of the plan; the program that wrote the page is not trusted.

class Page {
  constructor() {
    this.picture = pictureOn(byId('space'));
    this.labels = new Labels(byId('labels'));
    this.camera = new Camera();
    this.player = new Player(() => (this.stale = true));
    this.busy = new BusyChart(byId('busy'));
    this.selection = {what: 'all', origin: 0, packet: 0};
    this.view = 'solid';
    this.setTheme(window.matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');
    this.frames = 0;
  }

  async start() {
    const packed = byId('checker').textContent, plan = byId('plan').textContent, drawn = byId('drawn').textContent;
    if (packed) this.checker = await Checker.from(packed);
    bindControls(this);
    if (this.checker)
      this.openText(plan, byId('places').textContent, true);
    else
      this.show(JSON.parse(drawn), true);
    if (!this.checker) showNoChecker(this.scene);
    requestAnimationFrame((now) => this.frame(now));
  }

  async openFile(file) {
    if (!file) return;
    if (!this.checker) {
      showRefusal('This page holds no checker, so it cannot read plans; `isotrope view` writes a page for one.');
      return;
    }
    const bytes = new Uint8Array(await file.arrayBuffer());
    try {
      const isCbor = bytes[0] >= 0xa0 && bytes[0] <= 0xbf;
      this.openText(isCbor ? jsonFromCbor(bytes) : new TextDecoder().decode(bytes), '', false);
    } catch (error) {
      showRefusal(`${file.name}: ${error.message}`);
    }
  }

  // Draws first, and checks when the picture is there.
  openText(plan, places, first) {
    const picture = this.checker.read(plan, places);
    if (picture.error) {
      showRefusal(picture.error);
      return;
    }
    this.show(picture, first);
    byId('verdict').className = '';
    byId('verdict').dataset.state = 'checking';
    byId('verdict').textContent = 'Checking the plan ...';
    byId('because').textContent = '';
    setTimeout(() => {
      const start = performance.now(), proof = this.checker.check();
      this.proofSeconds = (performance.now() - start) / 1000;
      proof.error ? showRefusal(proof.error) : showProof(proof, this.proofSeconds);
    }, 30);
  }

  show(picture, first) {
    this.scene = new Scene(picture);
    this.motion = new Motion(this.scene);
    const {scene, motion} = this;
    document.title = scene.title;
    byId('title').textContent = scene.title;
    this.player.rounds = scene.rounds;
    this.player.at = 0;
    byId('slider').max = scene.rounds;
    byId('origin').max = scene.nodes - 1;
    byId('packet').max = Math.max(0, ...scene.stages.map((stage) => Math.max(stage.packets, stage.sums.length) - 1));
    const stage = scene.stages[0], rooted = scene.data.rooted;
    const alone = scene.stages.every((each) => each.replication === 'none' && new Set(each.origin).size === 1);
    this.selection = {
      what: motion.tooLarge || alone ? 'origin' : 'all',
      packet: 0,
      origin: alone && stage ? stage.origin[0] :
          rooted             ? scene.data.root :
                               0
    };
    byId('limit').hidden = !motion.tooLarge && Boolean(this.picture.gl);
    byId('limit').textContent = !this.picture.gl ?
        'This browser has no WebGL2, which the picture needs. Checker and table work without it.' :
        `${counted(scene.nodes, 'node')} and ${counted(scene.largestRound, 'hop')} a round are too many ` +
        `to draw at once: above ${counted(mostNodes, 'node')} or ${
            counted(mostHops, 'hop')} a round the page draws one origin at a time.`;
    document.querySelector('[name=what][value=all]').disabled = motion.tooLarge;
    this.busy.setShares(motion.utilisation());
    byId('view').hidden = !scene.layouts.flat;
    this.setView('solid');
    if (first)
      this.applyAddress();
    else
      this.follow({});
    if (first && !location.hash.includes('round=') && !this.player.stepwise) this.player.play();
  }

  applyAddress() {
    if (!this.scene) return;
    const state = readAddress();
    if (state.theme) this.setTheme(state.theme);
    if (state.view && this.scene.layouts[state.view]) this.setView(state.view);
    if (state.camera) {
      [this.camera.turn, this.camera.tilt, this.camera.zoom] = state.camera;
      this.camera.shift = [state.camera[3] || 0, state.camera[4] || 0];
    }
    this.follow(state.what ? {what: state.what, origin: state.origin, packet: state.packet} : {});
    if (state.round !== undefined) {
      this.player.pause();
      this.player.goTo(state.round);
    }
  }

  follow(change) {
    if (!this.scene) return;
    const selection = {...this.selection, ...change}, {scene} = this;
    if (selection.what === 'all' && this.motion.tooLarge) selection.what = 'origin';
    const clamp = (value, most) => Math.max(0, Math.min(most, Math.floor(Number(value)) || 0));
    selection.origin = clamp(selection.origin, scene.nodes - 1);
    selection.packet = clamp(selection.packet, Number(byId('packet').max));
    this.selection = selection;
    document.querySelector(`[name=what][value=${selection.what}]`).checked = true;
    byId('origin').value = selection.origin;
    byId('packet').value = selection.packet;
    this.shownRound = -1;
    this.stale = true;
  }

  setView(view) {
    this.view = view;
    this.layout = this.scene.layouts[view];
    this.camera.fit(this.layout.places, view === 'flat');
    this.picture.setLayout(this.scene, this.layout);
    byId('view').textContent = view === 'flat' ? 'In space' : 'In the plane';
    this.shownRound = -1;
    this.stale = true;
  }

  toggleView() {
    if (!this.scene) return;
    if (this.scene.layouts.flat) this.setView(this.view === 'flat' ? 'solid' : 'flat');
  }

  setTheme(name) {
    this.themeName = name;
    this.theme = themes[name];
    document.documentElement.classList.toggle('dark', this.theme.dark);
    this.shownRound = -1;
    this.stale = true;
  }

  toggleTheme() { this.setTheme(this.themeName === 'dark' ? 'light' : 'dark'); }

  rotate(across, up) {
    this.camera.rotate(across, up);
    this.stale = true;
  }

  magnify(factor) {
    this.camera.magnify(factor);
    this.stale = true;
  }

  resetCamera() {
    this.camera.reset();
    this.stale = true;
  }

  nodeAt(x, y) {
    return this.labels.nodeAt(this.scene, this.layout, x, y);
  }

  // Words about the node under the pointer.
  point(x, y) {
    const node = x < 0 ? -1 : this.nodeAt(x, y), box = byId('node');
    box.hidden = node < 0;
    if (node < 0) return;
    const coordinates = this.scene.group.coordinates(node);
    const share = this.motion.holdingsAt(this.player.round)
                      .share(node, this.selection.what === 'all' ? undefined : this.selection.origin);
    box.textContent = `node ${node}${coordinates.length > 1 ? ` at (${coordinates.join(', ')})` : ''}` +
        (this.scene.failedNodes.has(node) ? ', failed' : `, has ${Math.round(100 * share)} %`);
    box.style.left = `${Math.min(x + 14, byId('picture').clientWidth - 180)}px`;
    box.style.top = `${y + 14}px`;
  }

  // What changes with the round: shades, loads, packets, table.
  showRound(round) {
    const {scene, motion, selection, theme} = this;
    const holdings = motion.holdingsAt(round), origin = selection.what === 'all' ? undefined : selection.origin;
    this.colours = [];
    const shades = new Map();  // nodes that hold as much share a colour
    const shade = (share) => {
      if (!shades.has(share)) shades.set(share, mixed(theme.empty, theme.full, share));
      return shades.get(share);
    };
    const rims = new Uint8Array(scene.nodes).fill(1);
    const only =
        selection.what === 'packet' && holdings.stage.flow !== 'exchange' ? this.nodesOfPacket(holdings) : null;
    for (let node = 0; node < scene.nodes; ++node) {
      const share = only ? (only.has(node) ? 1 : 0) : holdings.share(node, origin);
      this.colours.push(scene.failedNodes.has(node) ? theme.failed : shade(share));
    }
    rims[selection.origin] = 2;
    this.picture.setNodes(this.colours, rims);
    this.showLoads(round);
    this.picture.beginPackets();
    motion.forEachSend(
        round, selection, (senders, port, followed) => this.picture.addPackets(senders, port, followed));
    this.picture.endPackets();
    this.busy.draw(round, theme);  // asks for sizes, so before the table changes
    showHops(scene, motion, round, selection);
    showKey(theme, scene, selection, holdings);
  }

  nodesOfPacket(holdings) {
    const {stage} = holdings, {packet, origin} = this.selection, result = new Set();
    if (packet >= stage.packets) return result;
    const g = stage.group.subtract(origin, stage.origin[packet]);
    if (stage.isTranslation(g))
      for (const node of holdings.where(packet)) result.add(stage.group.add(node, g));
    return result;
  }

  showLoads(round) {
    const loads = this.motion.loads(round, this.selection), {failedLinks} = this.scene;
    let most = 1;
    for (let link = 0; link < loads.length; ++link) most = Math.max(most, loads[link]);
    for (let link = 0; link < loads.length; ++link) loads[link] /= most;
    for (const link of failedLinks) loads[link] = -1;
    this.picture.setLoads(loads);
  }

  frame(now) {
    this.player.tick(now);
    if (this.scene && (this.stale || this.resized())) this.draw();
    requestAnimationFrame((next) => this.frame(next));
  }

  resized() {
    if (!this.picture.gl) return false;
    const {canvas} = this.picture, ratio = window.devicePixelRatio || 1;
    return canvas.width !== Math.round(canvas.clientWidth * ratio) ||
        canvas.height !== Math.round(canvas.clientHeight * ratio);
  }

  draw() {
    this.stale = false;
    const {scene, player} = this, round = player.round;
    if (this.shownRound !== round) {
      this.showRound(round);
      this.shownRound = round;
    }
    const matrix = this.picture.draw(this.camera, this.theme, player.progress, round < scene.rounds);
    if (matrix) {
      const {height} = this.picture.canvas;
      const scale = this.camera.isFlat ? Math.abs(matrix[5]) * height / 2 : height / 2 / Math.tan(0.31);
      this.labels.draw(scene, this.layout, matrix, this.picture, this.colours, scale);
    }
    showSentence(scene, player, this.selection);
    byId('slider').value = player.at;
    byId('slider').setAttribute('aria-valuetext', `round ${round} of ${scene.rounds}`);
    byId('round').textContent =
        round < scene.rounds ? `round ${round} of ${scene.rounds}` : `after ${counted(scene.rounds, 'round')}`;
    byId('play').textContent = player.playing ? 'Pause' : 'Play';
    byId('play').setAttribute('aria-pressed', String(player.playing));
    ++this.frames;
    if (!player.playing) this.writeAddress();
  }

  writeAddress() {
    const {camera} = this;
    writeAddress({
      round: this.player.at,
      ...this.selection,
      view: this.view,
      theme: this.themeName,
      camera: [camera.turn, camera.tilt, camera.zoom, ...camera.shift]
    });
  }
}

const page = new Page();
window.isotropePage = page;  // for tests
page.start().catch((error) => showRefusal(error.message));
