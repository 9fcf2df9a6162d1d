// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
//
// Time in rounds: 3.5 is the middle of round 3, and the number of rounds is the end. With reduced motion, play steps
// from round to round, and packets stand half-way.

class Player {
  constructor(changed) {
    this.changed = changed;
    this.at = 0;
    this.rounds = 0;
    this.playing = false;
    this.speed = 1;
    this.stepwise = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
  }

  get round() { return Math.min(Math.floor(this.at + 1e-6), this.rounds); }

  // How far the packets of the round have come, slow at both ends.
  get progress() {
    if (this.stepwise && this.at < this.rounds) return 0.5;
    const share = this.at - this.round;
    return share * share * (3 - 2 * share);
  }

  goTo(at) {
    this.at = Math.max(0, Math.min(this.rounds, at));
    this.changed();
  }

  step(by) {
    this.pause();
    this.goTo(by > 0 ? Math.floor(this.at + 1e-6) + by : Math.ceil(this.at - 1e-6) + by);
  }

  play() {
    if (this.at >= this.rounds) this.at = 0;
    this.playing = this.rounds > 0;
    this.last = performance.now();
    this.changed();
  }

  pause() {
    this.playing = false;
    this.changed();
  }

  toggle() { this.playing ? this.pause() : this.play(); }

  // Called every frame.
  tick(now) {
    if (!this.playing) return;
    const seconds = Math.max(0, Math.min(0.25, (now - this.last) / 1000)), perSecond = 0.7 * this.speed;
    if (this.stepwise) {
      if (now - this.last < 1000 / perSecond) return;
      this.last = now;
      this.at = Math.floor(this.at) + 1;
    } else {
      this.last = now;
      this.at += seconds * perSecond;
    }
    if (this.at >= this.rounds) {
      this.at = this.rounds;
      this.playing = false;
    }
    this.changed();
  }
}
