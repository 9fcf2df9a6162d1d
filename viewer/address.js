// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// The state in the fragment of the address, so that a link shows what its sender saw:
//
//     #round=3.5&follow=origin:0&view=solid&camera=0.5,0.38,1&theme=dark

function readAddress() {
  const given = new URLSearchParams(location.hash.slice(1)), state = {};
  const round = Number(given.get('round'));
  if (given.has('round') && Number.isFinite(round)) state.round = round;
  const follow = (given.get('follow') || '').split(':');
  if (['all', 'origin', 'packet'].includes(follow[0])) {
    state.what = follow[0];
    state.origin = Math.max(0, parseInt(follow[1], 10) || 0);
    state.packet = Math.max(0, parseInt(follow[2], 10) || 0);
  }
  if (['solid', 'flat'].includes(given.get('view'))) state.view = given.get('view');
  const camera = (given.get('camera') || '').split(',').map(Number);
  if (camera.length >= 3 && camera.every(Number.isFinite)) state.camera = camera;
  if (['light', 'dark'].includes(given.get('theme'))) state.theme = given.get('theme');
  return state;
}

// In a frame without an address, such as that of a notebook, there is none to write.
function writeAddress({round, what, origin, packet, view, camera, theme}) {
  const short = (value) => String(Math.round(1000 * value) / 1000);
  const follow = {all: 'all', origin: `origin:${origin}`, packet: `packet:${origin}:${packet}`}[what];
  const fragment =
      `#round=${short(round)}&follow=${follow}&view=${view}&camera=${camera.map(short).join(',')}&theme=${theme}`;
  if (location.protocol !== 'about:' && fragment !== location.hash) history.replaceState(null, '', fragment);
}
