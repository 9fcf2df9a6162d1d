// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Keys, pointer, slider and drops, as calls of the page.

function bindControls(page) {
  const {player} = page, figure = byId('picture'), slider = byId('slider');
  byId('play').onclick = () => player.toggle();
  byId('back').onclick = () => player.step(-1);
  byId('forth').onclick = () => player.step(1);
  slider.oninput = () => {
    player.pause();
    player.goTo(Number(slider.value));
  };
  byId('speed').onchange = (event) => (player.speed = Number(event.target.value));
  byId('view').onclick = () => page.toggleView();
  byId('theme').onclick = () => page.toggleTheme();
  for (const radio of document.querySelectorAll('[name=what]'))
    radio.onchange = () => page.follow({what: radio.value});
  byId('origin').onchange = (event) => page.follow(
      {what: page.selection.what === 'all' ? 'origin' : page.selection.what, origin: Number(event.target.value)});
  byId('packet').onchange = (event) => page.follow({what: 'packet', packet: Number(event.target.value)});
  byId('busy').onclick = (event) => {
    player.pause();
    player.goTo(page.busy.roundAt(event.offsetX));
  };
  byId('file').onchange = (event) => page.openFile(event.target.files[0]);
  bindKeys(page);
  bindPointer(page, figure);
  bindDrop(page);
  window.addEventListener('hashchange', () => page.applyAddress());
}

function bindKeys(page) {
  const {player} = page;
  const turn = {ArrowLeft: [-0.06, 0], ArrowRight: [0.06, 0], ArrowUp: [0, 0.06], ArrowDown: [0, -0.06]};
  const actions = {
    ' ': () => player.toggle(),
    ArrowLeft: () => player.step(-1),
    ArrowRight: () => player.step(1),
    Home: () => player.goTo(0),
    End: () => player.goTo(player.rounds),
    a: () => page.follow({what: 'all'}),
    o: () => page.follow({what: 'origin'}),
    p: () => page.follow({what: 'packet'}),
    d: () => page.toggleView(),
    t: () => page.toggleTheme(),
    r: () => page.resetCamera(),
    '+': () => page.magnify(1.15),
    '=': () => page.magnify(1.15),
    '-': () => page.magnify(1 / 1.15),
  };
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const {target} = event, key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (target.matches('input[type=number], select')) return;
    if (target.matches('input[type=radio], input[type=range]') && key.startsWith('Arrow')) return;
    if (target.matches('button, summary, input') && (key === ' ' || key === 'Enter')) return;
    if (event.shiftKey && turn[key])
      page.rotate(...turn[key]);
    else if (actions[key])
      actions[key]();
    else
      return;
    event.preventDefault();
  });
}

function bindPointer(page, figure) {
  let last = null, moved = 0;
  figure.addEventListener('pointerdown', (event) => {
    last = [event.clientX, event.clientY];
    moved = 0;
    figure.setPointerCapture(event.pointerId);
  });
  figure.addEventListener('pointermove', (event) => {
    page.point(event.offsetX, event.offsetY);
    if (!last) return;
    const across = event.clientX - last[0], up = event.clientY - last[1];
    moved += Math.abs(across) + Math.abs(up);
    last = [event.clientX, event.clientY];
    const size =
        page.camera.isFlat ? [figure.clientWidth, figure.clientHeight] : [figure.clientHeight, figure.clientHeight];
    page.rotate((page.camera.isFlat ? 1 : -1) * across / size[0], up / size[1]);
  });
  figure.addEventListener('pointerup', (event) => {
    last = null;
    if (moved > 4) return;
    const node = page.nodeAt(event.offsetX, event.offsetY);
    if (node >= 0) page.follow({what: 'origin', origin: node});
  });
  figure.addEventListener('pointercancel', () => (last = null));
  figure.addEventListener('pointerleave', () => page.point(-1, -1));
  figure.addEventListener('wheel', (event) => {
    event.preventDefault();
    page.magnify(Math.exp(-0.0015 * event.deltaY));
  }, {passive: false});
}

function bindDrop(page) {
  const stop = (event) => event.preventDefault();
  document.addEventListener('dragover', (event) => {
    stop(event);
    document.body.classList.add('dropping');
  });
  document.addEventListener('dragleave', () => document.body.classList.remove('dropping'));
  document.addEventListener('drop', (event) => {
    stop(event);
    document.body.classList.remove('dropping');
    if (event.dataTransfer.files.length) page.openFile(event.dataTransfer.files[0]);
  });
}
