"""Reads and asserts on what a running standin has captured."""

from ._client import Fault, Namespace, Standin, connect
from ._errors import ExpectationError, RequestError, StandinError, WaitError
from ._model import Endpoint, Event, Extracted
from ._names import unique_name
from ._process import StartedStandin, start

__all__ = [
    "Endpoint",
    "Event",
    "ExpectationError",
    "Extracted",
    "Fault",
    "Namespace",
    "RequestError",
    "Standin",
    "StandinError",
    "StartedStandin",
    "WaitError",
    "connect",
    "start",
    "unique_name",
]
