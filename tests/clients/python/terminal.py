"""A program at a terminal of its own, in which Ctrl-C interrupts."""

import os
import pty
import re
import select
import signal
import time

LIMIT_S = 20
CTRL_C = b"\x03"


class Terminal:
    """Started with its words; to be ended."""

    def __init__(self, *command):
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.environ["TERM"] = "dumb"
            os.execvp(command[0], command)
        self.text = ""

    def until(self, *patterns):
        """Reads until each of the patterns came, in this order; gives what came up to there."""
        end = time.monotonic() + LIMIT_S
        for pattern in patterns:
            while not (found := re.search(pattern, self.text)):
                if not select.select([self.fd], [], [], max(0, end - time.monotonic()))[0]:
                    raise TimeoutError(f"{pattern} never came: {self.text!r}")
                try:
                    read = os.read(self.fd, 4096)
                except OSError:
                    read = b""
                if not read:
                    raise EOFError(f"ended before {pattern}: {self.text!r}")
                self.text += read.decode(errors="replace")
            seen, self.text = self.text[: found.end()], self.text[found.end() :]
        return seen

    def say(self, line):
        os.write(self.fd, line.encode() + b"\n")

    def press(self, key):
        os.write(self.fd, key)

    def end(self):
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
        os.close(self.fd)
