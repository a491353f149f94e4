"""Starts the program for tests, on free ports, and stops it."""

from __future__ import annotations

import atexit
import json
import os
import queue
import shutil
import subprocess
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import IO

from ._client import Standin
from ._errors import StandinError
from ._names import CREDENTIAL_RULE, RECIPIENT_RULE

#: Seconds from the request to stop until the program is killed.
_STOP = 8.0
#: Characters that are kept of what the program says.
_KEPT = 65536


class StartedStandin(Standin):
    """A client of a program that was started for it. As a context manager, the program is stopped at the end."""

    def __init__(self, process: subprocess.Popen[str], addresses: Mapping[str, str]) -> None:
        super().__init__(addresses["api"].removesuffix("/api/v1"))
        self._process = process
        #: Addresses by listener: ``ui``, ``api``, ``ingress``, ``mail/smtp`` and so on.
        self.addresses = dict(addresses)
        #: Address that the HTTP providers share.
        self.ingress = addresses.get("ingress", "")
        atexit.register(self.stop)

    @property
    def pid(self) -> int:
        return self._process.pid

    def stop(self) -> None:
        """Stops the program, and returns when it has ended."""
        atexit.unregister(self.stop)
        _stop(self._process)

    def __enter__(self) -> StartedStandin:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()


def start(
    program: str | os.PathLike[str] | None = None,
    *,
    args: Sequence[str] = (),
    env: Mapping[str, str] | None = None,
    timeout: float = 30.0,
) -> StartedStandin:
    """Starts the program, and returns when every listener accepts connections.

    ``program`` is its path; by default ``STANDIN_PROGRAM``, or ``standin`` on the PATH. ``args`` are more flags of
    ``standin serve``. The program also stops when this process ends, however that happens. Namespaces are read from
    the header, from recipients such as ``ada+t1@example.org`` and from credentials such as ``re_any--t1``, unless
    ``args`` or ``env`` say otherwise. Raises ``StandinError``, with what the program said, if it does not start.
    """
    path = str(program) if program is not None else _find()
    variables = {
        "SERVICE_LOG_LEVEL": "warn",
        "SERVICE_NAMESPACE_RECIPIENTS": RECIPIENT_RULE,
        "SERVICE_NAMESPACE_CREDENTIALS": CREDENTIAL_RULE,
        **os.environ,
        **(env or {}),
    }
    flags = ["serve", "--free-ports", "--stop-on-eof", "--log-format=json", *args]
    try:
        process = subprocess.Popen(
            [path, *flags],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=variables,
            text=True,
            encoding="utf-8",
            errors="replace",
        )
    except OSError as error:
        raise StandinError(f"Cannot start {path}: {error.strerror}") from None
    assert process.stdout is not None and process.stderr is not None
    lines: queue.Queue[str] = queue.Queue()
    complaints = _Tail(process.stderr)
    threading.Thread(target=_read, args=(process.stdout, lines), daemon=True).start()
    try:
        try:
            line = lines.get(timeout=timeout)
        except queue.Empty:
            raise StandinError(
                f"Cannot start {path}: it is not ready after {timeout} s\n{complaints.text}".rstrip()
            ) from None
        if line == "":
            status = process.wait(_STOP)
            complaints.join()
            raise StandinError(f"Cannot start {path}: it ended with status {status}\n{complaints.text}".rstrip())
        try:
            said = json.loads(line)
        except ValueError:
            said = None
        if not isinstance(said, dict) or not isinstance(said.get("api"), str):
            raise StandinError(f"Cannot start {path}: it said {line[:200]!r} instead of where it listens")
        return StartedStandin(
            process, {name: text for name, text in said.items() if name not in ("time", "level", "message")}
        )
    except BaseException:
        _stop(process)
        raise


def _find() -> str:
    named = os.environ.get("STANDIN_PROGRAM")
    if named:
        return named
    # Where the install script puts it.
    own = Path.home() / ".local" / "bin" / "standin"
    found = shutil.which("standin") or (str(own) if own.is_file() else None)
    if found is None:
        raise StandinError(
            "Cannot find the standin program: install it, put it on the PATH, or name it in STANDIN_PROGRAM"
        )
    return found


def _read(output: IO[str], lines: queue.Queue[str]) -> None:
    """Hands on the first line, empty at the end, and reads the others, which are of no interest."""
    with output:
        lines.put(output.readline())
        while output.read(8192):
            pass


class _Tail:
    """The end of what a program writes to standard error."""

    def __init__(self, stream: IO[str]) -> None:
        self.text = ""
        self._stream = stream
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def join(self) -> None:
        self._thread.join(_STOP)

    def _run(self) -> None:
        with self._stream as stream:
            for line in stream:
                self.text = (self.text + line)[-_KEPT:]


def _stop(process: subprocess.Popen[str]) -> None:
    if process.stdin is not None:
        try:
            process.stdin.close()
        except OSError:
            pass  # It has already ended.
    try:
        process.wait(_STOP)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
