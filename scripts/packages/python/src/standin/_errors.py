"""Errors. What a test waits for in vain is an ``AssertionError``, so that runners show it as a failure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


class StandinError(Exception):
    """The base of all errors: the service cannot be reached, or the program cannot be started."""


class RequestError(StandinError):
    """The service refused a request. The message is the service's."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        #: HTTP status.
        self.status = status


class WaitError(RequestError, AssertionError):
    """The events did not arrive in time. The message lists what was captured instead."""


class ExpectationError(RequestError, AssertionError):
    """An expectation was not met. The message describes the difference from the closest event."""

    def __init__(self, status: int, verdict: Mapping[str, Any]) -> None:
        super().__init__(status, str(verdict.get("error") or "The expectation was not met"))
        #: The verdict of the service: ``met``, ``count``, ``events``, ``closest``.
        self.verdict = verdict
