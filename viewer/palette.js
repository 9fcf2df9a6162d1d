// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Colours, light and dark, apart for people who are colour-blind: the palette of Okabe and Ito for packets, and
// scales that run in lightness for what nodes hold and links carry.

const themes = {
  light: {
    back: [1, 1, 1],
    empty: [0.93, 0.94, 0.96],
    full: [0.03, 0.31, 0.6],
    idle: [0.78, 0.8, 0.84],
    loaded: [0.62, 0.2, 0.02],
    followed: [0.9, 0.62, 0],
    other: [0.34, 0.71, 0.91],
    rim: [0.16, 0.19, 0.25],
    failed: [0.55, 0.55, 0.55],
    dark: false,
  },
  dark: {
    back: [0.07, 0.084, 0.106],
    empty: [0.2, 0.225, 0.27],
    full: [0.62, 0.86, 1],
    idle: [0.25, 0.28, 0.335],
    loaded: [1, 0.55, 0.25],
    followed: [0.95, 0.72, 0.1],
    other: [0.1, 0.55, 0.75],
    rim: [0.9, 0.93, 0.97],
    failed: [0.45, 0.45, 0.45],
    dark: true,
  },
};

function mixed(a, b, share) { return [0, 1, 2].map((i) => a[i] + (b[i] - a[i]) * share); }

function css(colour) { return `rgb(${colour.map((value) => Math.round(255 * value)).join(',')})`; }

// White or black, whichever reads better on a colour.
function inkOn([r, g, b]) { return 0.299 * r + 0.587 * g + 0.114 * b > 0.55 ? '#111' : '#fff'; }
