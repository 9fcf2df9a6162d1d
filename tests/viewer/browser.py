# SPDX-FileCopyrightText: The Isotrope authors
# SPDX-License-Identifier: Apache-2.0
"""A headless Chromium with one page, driven over the pipe of its remote debugging protocol.

Method: the browser reads commands on descriptor 3 and writes answers on descriptor 4, as JSON that ends with a zero
byte. No network, no driver and no package but the browser is needed. Graphics are drawn in software.
"""
import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time


class Browser:
    def __init__(self, width=1280, height=800, options=()):
        program = shutil.which("chromium")
        if not program:
            raise RuntimeError("chromium is missing: `make test-viewer` installs it")
        self.profile = tempfile.mkdtemp(prefix="isotrope-viewer-")
        command_read, self.commands = os.pipe()
        self.answers, answer_write = os.pipe()

        def descriptors():
            # Out of the way of 3 and 4 first, as either pipe may have these numbers.
            high_read, high_write = os.dup(command_read), os.dup(answer_write)
            os.dup2(high_read, 3)
            os.dup2(high_write, 4)

        self.process = subprocess.Popen(
            [program, "--headless=new", "--no-sandbox", "--remote-debugging-pipe", "--enable-unsafe-swiftshader",
             "--use-angle=swiftshader", "--hide-scrollbars", "--no-first-run", "--disable-extensions",
             "--disable-background-networking", "--allow-file-access-from-files", f"--user-data-dir={self.profile}",
             f"--window-size={width},{height}", *options, "about:blank"],
            preexec_fn=descriptors, close_fds=False, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)
        os.close(command_read)
        os.close(answer_write)
        self.buffer = b""
        self.number = 0
        self.session = None
        target = [t for t in self.call("Target.getTargets")["targetInfos"] if t["type"] == "page"][0]["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self.errors = []
        for domain in ("Page", "Runtime"):
            self.call(f"{domain}.enable")
        self.resize(width, height)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        os.close(self.commands)
        os.close(self.answers)
        shutil.rmtree(self.profile, ignore_errors=True)

    def receive(self, deadline):
        while b"\0" not in self.buffer:
            ready, _, _ = select.select([self.answers], [], [], max(0, deadline - time.monotonic()))
            if not ready:
                raise TimeoutError("the browser does not answer")
            more = os.read(self.answers, 1 << 20)
            if not more:
                raise RuntimeError("the browser has ended")
            self.buffer += more
        message, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(message)

    def call(self, method, limit=120, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        self.write_all(json.dumps(message).encode() + b"\0")
        deadline = time.monotonic() + limit
        while True:
            answer = self.receive(deadline)
            if answer.get("method") == "Runtime.exceptionThrown":
                details = answer["params"]["exceptionDetails"]
                self.errors.append(details.get("exception", {}).get("description", details["text"]))
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']['message']}")
                return answer["result"]

    def write_all(self, data):
        while data:
            data = data[os.write(self.commands, data):]

    def resize(self, width, height, scale=1):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=scale,
                  mobile=False)

    def prefer(self, **features):
        """Media features, such as prefers_color_scheme="dark"."""
        self.call("Emulation.setEmulatedMedia",
                  features=[{"name": name.replace("_", "-"), "value": value} for name, value in features.items()])

    def open(self, address):
        """Opens a page, which may run from then on."""
        self.call("Page.navigate", url="about:blank")
        self.call("Page.navigate", url=address)

    def run(self, script, limit=120):
        """The value of an expression; a promise is awaited."""
        result = self.call("Runtime.evaluate", limit=limit, expression=script, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in result:
            details = result["exceptionDetails"]
            raise RuntimeError(details.get("exception", {}).get("description", details["text"]))
        return result["result"].get("value")

    def wait(self, script, limit=60):
        """Waits until an expression is true."""
        deadline = time.monotonic() + limit
        while not self.run(script):
            if time.monotonic() > deadline:
                raise TimeoutError(f"never true: {script}; errors: {self.errors}")
            time.sleep(0.02)

    def press(self, key, code=None, modifiers=0):
        text = {"text": key} if len(key) == 1 else {}
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, code=code or key, modifiers=modifiers,
                      **(text if kind == "keyDown" else {}))

    def screenshot(self, file):
        data = self.call("Page.captureScreenshot", format="png")["data"]
        with open(file, "wb") as out:
            out.write(base64.b64decode(data))
