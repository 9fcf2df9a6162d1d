#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Isotrope authors
# SPDX-License-Identifier: Apache-2.0
"""viewer_test.py PROGRAM [PICTURES]: pages of plans in headless Chromium.

On networks of every kind a page opens, draws, plays to the end and proves its plan. Pages also refuse damaged plans
in the checker's words, take plans that are dropped, JSON and CBOR, obey keys and addresses, and work with the network
cut off. With PICTURES, a folder, screenshots are left there.
"""
import html
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import unittest

sys.dont_write_bytecode = True

from browser import Browser

PROGRAM = os.path.abspath(sys.argv[1])
PICTURES = sys.argv[2] if len(sys.argv) > 2 else None

PLANS = {
    "cube": ["--network", "hypercube:4", "--collective", "alltoall"],
    "torus": ["--network", "torus:8x8x8", "--collective", "alltoall"],
    "doughnut": ["--network", "torus:6x8", "--collective", "alltoall"],
    "hexagon": ["--network", "hexmesh:4", "--collective", "broadcast", "--ports", "one"],
    "circulant": ["--network", "circulant:29:1,5,12", "--collective", "allgather"],
    "mesh": ["--network", "mesh:4x6", "--collective", "scatter"],
    "graph": ["--network", "graph.json", "--collective", "allgather"],
    "exchange": ["--network", "hypercube:4", "--collective", "allreduce", "--ports", "one"],
    "failure": ["--network", "torus:5x5", "--collective", "allgather", "--failed-nodes", "12"],
    "overlay": ["overlay.json"],  # of radix exchange: messages to nodes 1, 2 and 4 further on
    "twisted": ["--network", "twisted-torus:4x4x8", "--collective", "alltoall"],
}
LARGE = {
    "cube": "hypercube:12",
    "torus": "torus:16x16x16",
    "circulant": "circulant:4096:1,16,256,3,48,768,5,80,1280,7,112,1792",
}
GRAPH = {"format": "isotrope-network/1", "nodes": 10,
         "links": [[i, (i + 1) % 5] for i in range(5)] + [[i, i + 5] for i in range(5)] +
                  [[5 + i, 5 + (i + 2) % 5] for i in range(5)]}  # Petersen's


def isotrope(*arguments, folder):
    result = subprocess.run([PROGRAM, *arguments], cwd=folder, capture_output=True, text=True, check=False)
    if result.returncode == 2:
        raise RuntimeError(result.stderr)
    return result.stdout


class Viewer(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory(prefix="isotrope-pages-")
        cls.folder = pathlib.Path(cls.temporary.name)
        (cls.folder / "graph.json").write_text(json.dumps(GRAPH))
        (cls.folder / "machine.json").write_text(json.dumps(
            {"format": "isotrope-machine/1", "startup_s": 1e-5, "byte_time_s": 1e-10, "cut_through": True}))
        isotrope("plan", "--network", "ring:8", "--collective", "alltoall", "--bytes", "8", "--machine", "machine.json",
                 "-o", "overlay.json", folder=cls.folder)
        for name, arguments in PLANS.items():
            isotrope("view", *arguments, "-o", f"{name}.html", folder=cls.folder)
        cls.browser = Browser().__enter__()
        cls.browser.call("Network.enable")
        cls.browser.call("Network.emulateNetworkConditions", offline=True, latency=0,
                         downloadThroughput=-1, uploadThroughput=-1)
        if PICTURES:
            os.makedirs(PICTURES, exist_ok=True)

    @classmethod
    def tearDownClass(cls):
        cls.browser.__exit__()
        cls.temporary.cleanup()

    def setUp(self):
        self.browser.errors.clear()

    def tearDown(self):
        self.assertEqual(self.browser.errors, [])

    def open(self, name, fragment=""):
        self.browser.open((self.folder / f"{name}.html").as_uri() + fragment)
        self.browser.wait("window.isotropePage && isotropePage.frames > 0")

    def wait_for(self, state):
        self.browser.wait(f"document.getElementById('verdict').dataset.state === '{state}'")

    def state(self):
        return self.browser.run("document.getElementById('verdict').dataset.state")

    def text(self, element):
        return self.browser.run(f"document.getElementById('{element}').textContent")

    def picture(self, name):
        if PICTURES:
            self.browser.run("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
            self.browser.screenshot(f"{PICTURES}/{name}.png")

    # Pixels of the picture that are not ground.
    def drawn(self):
        return self.browser.run("""(() => {
          isotropePage.draw();  // the drawing lasts as long as this call
          const from = document.getElementById('space'), to = document.createElement('canvas');
          to.width = from.width; to.height = from.height;
          const context = to.getContext('2d');
          context.drawImage(from, 0, 0);
          const data = context.getImageData(0, 0, to.width, to.height).data;
          let count = 0;
          for (let i = 0; i < data.length; i += 4)
            if (data[i] !== data[0] || data[i + 1] !== data[1] || data[i + 2] !== data[2]) ++count;
          return count;
        })()""")

    def replace_plan(self, change):
        """A page of the 4-cube whose plan is changed as JSON text."""
        page = (self.folder / "cube.html").read_text()
        head, rest = page.split('<script type="application/json" id="plan">', 1)
        plan, tail = rest.split("</script>", 1)
        (self.folder / "changed.html").write_text(
            f'{head}<script type="application/json" id="plan">{change(plan)}</script>{tail}')

    def test_every_page_opens_plays_and_proves(self):
        for name in PLANS:
            with self.subTest(name):
                self.open(name)
                self.wait_for("proved")
                self.assertGreater(self.drawn(), 2000)
                rounds = self.browser.run("isotropePage.scene.rounds")
                self.assertGreater(rounds, 0)
                self.browser.run("isotropePage.player.speed = 1e4; isotropePage.player.play()")
                self.browser.wait(f"isotropePage.player.at === {rounds}")
                # At the end every node holds all that it needs.
                shares = self.browser.run("""Array.from({length: isotropePage.scene.nodes}, (_, node) =>
                  isotropePage.motion.holdingsAt(isotropePage.scene.rounds).share(node))""")
                failed = self.browser.run("[...isotropePage.scene.failedNodes]")
                collective = self.browser.run("isotropePage.scene.data.collective")
                for node, share in enumerate(shares):
                    if node not in failed and collective != "reduce" and not (collective == "scatter" and node == 0):
                        self.assertAlmostEqual(share, 1, msg=f"node {node}")
                self.browser.run(f"isotropePage.player.goTo({rounds} / 2 - 0.45)")
                self.picture(name)

    def test_the_page_agrees_with_the_program(self):
        self.open("cube")
        self.wait_for("proved")
        isotrope("plan", *PLANS["cube"], "-o", "cube.json", folder=self.folder)
        words = isotrope("verify", "cube.json", folder=self.folder).splitlines()
        shown = self.text("words").splitlines()
        self.assertEqual(shown[:-1], words[:-1])  # but for the time
        self.assertIn("ceil(32/4) = 8", self.text("because"))
        self.assertIn("no link is ever idle", self.text("busy-words"))

    def test_a_damaged_plan_is_refused_in_the_words_of_the_checker(self):
        def lose_a_hop(plan):
            document = json.loads(plan)
            document["stages"][0]["hops"][3].pop()
            return json.dumps(document)
        self.replace_plan(lose_a_hop)
        self.open("changed")
        self.wait_for("refused")
        self.assertIn("NOT VALID", self.text("verdict"))
        self.assertRegex(self.text("because"), "holding|delivery")
        self.picture("refused")

    def test_a_false_claim_is_refused(self):
        self.replace_plan(lambda plan: plan.replace('"rounds": 8', '"rounds": 7'))
        self.open("changed")
        self.wait_for("refused")
        self.assertIn("claim", self.text("because"))

    def test_what_is_no_plan_is_refused(self):
        self.replace_plan(lambda plan: plan[:200])
        self.browser.open((self.folder / "changed.html").as_uri())
        self.browser.wait("(document.getElementById('verdict') || {dataset: {}}).dataset.state === 'refused'")
        self.assertIn("the plan: line", self.text("because"))

    def drop(self, file):
        import base64
        data = base64.b64encode((self.folder / file).read_bytes()).decode()
        self.browser.run(f"""(() => {{
          const bytes = Uint8Array.from(atob('{data}'), (letter) => letter.charCodeAt(0));
          const files = new DataTransfer();
          files.items.add(new File([bytes], '{file}'));
          document.dispatchEvent(new DragEvent('drop', {{dataTransfer: files, bubbles: true, cancelable: true}}));
        }})()""")

    def test_dropped_plans_are_drawn_and_proved(self):
        for file in ("dropped.json", "dropped.cbor"):
            with self.subTest(file):
                isotrope("plan", "--network", "hexmesh:3", "--collective", "allgather", "-o", file, folder=self.folder)
                self.open("cube")
                self.drop(file)
                self.browser.wait("isotropePage.scene.nodes === 19")
                self.wait_for("proved")
                self.assertIn("hexmesh:3", self.text("title"))
        (self.folder / "bad.cbor").write_bytes((self.folder / "dropped.cbor").read_bytes()[:-3])
        self.drop("bad.cbor")
        self.wait_for("refused")
        self.assertIn("ends too early", self.text("because"))

    def test_the_address_holds_the_state(self):
        self.open("cube", "#round=3.5&follow=packet:5:3&view=flat&camera=0,0,1.5&theme=dark")
        state = "[isotropePage.player.at, isotropePage.selection, isotropePage.view, isotropePage.camera.zoom]"
        self.assertEqual(self.browser.run(state),
                         [3.5, {"what": "packet", "origin": 5, "packet": 3}, "flat", 1.5])
        self.browser.run("document.activeElement.blur()")
        self.browser.press("ArrowRight")
        self.browser.wait("location.hash.includes('round=4&')")
        self.picture("dark-packet")

    def test_keys(self):
        self.open("cube", "#round=0")
        self.browser.press("ArrowRight")
        self.browser.wait("isotropePage.player.at === 1")
        self.browser.press("End")
        self.browser.wait("isotropePage.player.at === 8")
        self.browser.press("Home")
        self.browser.press("o")
        self.browser.wait("isotropePage.player.at === 0 && isotropePage.selection.what === 'origin'")
        self.browser.press("d")
        self.browser.wait("isotropePage.view === 'flat'")
        self.picture("flat")
        self.browser.press(" ", "Space")
        self.browser.wait("isotropePage.player.playing")

    def test_a_page_without_a_checker_says_so(self):
        self.open("cube")
        plan = "document.getElementById('plan').textContent"
        drawn = self.browser.run(f"JSON.stringify(isotropePage.checker.read({plan}, ''))")
        page = (self.folder / "cube.html").read_text()
        for name, text in (("checker", ""), ("plan", ""), ("drawn", drawn)):
            head, rest = page.split(f' id="{name}">', 1)
            page = f'{head} id="{name}">{text}</script>{rest.split("</script>", 1)[1]}'
        (self.folder / "unchecked.html").write_text(page)
        self.open("unchecked")
        self.assertEqual(self.state(), "unchecked")
        self.assertIn("this page holds no checker", self.text("verdict"))
        self.assertIn("isotrope verify", self.text("verdict"))
        self.assertGreater(self.drawn(), 2000)

    def test_a_page_works_in_a_frame_of_another(self):
        """As in a notebook, whose frames have no address."""
        page = html.escape((self.folder / "cube.html").read_text())
        (self.folder / "notebook.html").write_text(
            f'<!doctype html><iframe srcdoc="{page}" style="width:100%;height:40em"></iframe>')
        self.browser.open((self.folder / "notebook.html").as_uri())
        inner = "document.querySelector('iframe').contentWindow"
        self.browser.wait("document.querySelector('iframe')?.contentWindow?.isotropePage?.frames > 0")
        self.browser.wait(f"{inner}.document.getElementById('verdict').dataset.state === 'proved'")
        self.browser.run(f"{inner}.isotropePage.player.pause()")
        self.browser.run(f"{inner}.isotropePage.player.goTo(3)")
        self.browser.wait(f"{inner}.document.getElementById('round').textContent === 'round 3 of 8'")
        self.picture("notebook")

    def test_without_graphics_the_plan_is_proved(self):
        with Browser(options=["--disable-3d-apis"]) as browser:
            browser.open((self.folder / "cube.html").as_uri())
            browser.wait("window.isotropePage && isotropePage.frames > 0")
            browser.wait("document.getElementById('verdict').dataset.state === 'proved'")
            self.assertIn("no WebGL2", browser.run("document.getElementById('limit').textContent"))
            self.assertFalse(browser.run("document.getElementById('limit').hidden"))
            browser.run("isotropePage.player.pause(); isotropePage.player.goTo(3)")
            browser.wait("document.getElementById('round').textContent === 'round 3 of 8'")
            self.assertEqual(browser.run("document.querySelectorAll('#hops tr').length"), 64)
            self.assertEqual(browser.errors, [])

    def test_reduced_motion_steps(self):
        self.browser.prefer(prefers_reduced_motion="reduce")
        try:
            self.open("cube")
            self.assertFalse(self.browser.run("isotropePage.player.playing"))
            self.browser.run("isotropePage.player.speed = 10; isotropePage.player.play()")
            self.browser.wait("isotropePage.player.at === 8")
        finally:
            self.browser.prefer(prefers_reduced_motion="no-preference")

    def test_sizes_and_times(self):
        self.assertLess((self.folder / "torus.html").stat().st_size, 4_000_000)
        start = time.monotonic()
        self.open("torus")
        opened = time.monotonic() - start
        self.wait_for("proved")
        proof = self.browser.run("isotropePage.proofSeconds")
        size = (self.folder / "torus.html").stat().st_size
        print(f"torus:8x8x8 alltoall: {size} bytes, first picture after {opened:.2f} s, proof in {proof:.3f} s")
        self.assertLess(proof, 2)

    def test_a_frame_costs_little(self):
        """Of 4096 nodes and up to 90,112 packets a round, what JavaScript does for a frame; nothing is rasterised."""
        for name, network in LARGE.items():
            with self.subTest(name):
                isotrope("view", "--network", network, "--collective", "alltoall", "-o", "many.html", folder=self.folder)
                self.open("many")
                self.wait_for("proved")
                found = self.browser.run("""(() => {
                  const page = isotropePage, {gl} = page.picture, changed = [], between = [];
                  gl.drawArrays = gl.drawArraysInstanced = () => {};
                  page.player.tick = () => {};
                  page.player.playing = true;
                  const cost = (at) => {
                    page.player.at = at;
                    const start = performance.now();
                    page.draw();
                    return performance.now() - start;
                  };
                  for (let round = 0; round < 60; ++round) {
                    changed.push(cost(round));
                    between.push(cost(round + 0.5));
                  }
                  const median = (list) => list.slice(20).sort((a, b) => a - b)[20];
                  return {packets: page.scene.largestRound, changed: median(changed), between: median(between)};
                })()""")
                print(f"{network}: {found['packets']} packets a round; a frame {found['between']:.1f} ms, "
                      f"at a new round {found['changed']:.1f} ms")
                self.assertLess(found["changed"], 33)
                self.assertLess(found["between"], 16)

    def test_large_plans_show_one_origin(self):
        isotrope("view", "--network", "hypercube:13", "--collective", "allgather", "-o", "large.html",
                 folder=self.folder)
        self.open("large")
        self.assertEqual(self.browser.run("isotropePage.selection.what"), "origin")
        self.assertIn("one origin at a time", self.text("limit"))
        self.picture("large")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
