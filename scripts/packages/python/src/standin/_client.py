"""The client."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import Any
from urllib.parse import quote

from ._errors import ExpectationError, RequestError, WaitError
from ._http import Http, refusal
from ._model import Endpoint, Event, Extracted
from ._names import HEADER, address_in, check_name, credential_in

#: Seconds that a wait takes at most unless told otherwise.
DEFAULT_TIMEOUT = 5.0

#: Inside the class, ``list`` is a method.
Events = list[Event]


def connect(url: str | None = None, *, token: str | None = None) -> Standin:
    """Returns a client of the service at ``url``, ``STANDIN_URL`` or ``http://localhost:8811``.

    ``token`` is that of ``[api] token``, if the service has one.
    """
    headers = {} if token is None else {"Authorization": f"Bearer {token}"}
    return Standin(url or os.environ.get("STANDIN_URL") or "http://localhost:8811", headers)


class Standin:
    """Reads and asserts on the captures of a running service.

    Keyword arguments that a method does not name are filters of the service, such as ``to`` and ``subject`` of mails.
    Those that are keywords of Python take an underscore: ``from_``. The service refuses a filter that it does not know.
    """

    def __init__(self, url: str, headers: Mapping[str, str] | None = None, *, namespace: str | None = None) -> None:
        self._http = Http(url, headers or {})
        self._namespace = namespace

    @property
    def url(self) -> str:
        """Address of the service's pages and API."""
        return self._http.url

    def namespace(self, name: str) -> Namespace:
        """Returns a client of the same service that sees only this namespace."""
        return Namespace(self.url, self._http.headers, namespace=check_name(name))

    def endpoint(self, provider: str) -> Endpoint:
        """Returns where a provider listens: ``endpoint("smtp")``, or with its plugin ``endpoint("s3/http")``."""
        running = [
            (plugin["name"], one["name"], one["url"])
            for plugin in self._http.json("GET", "/plugins")
            for one in plugin["providers"]
            if one.get("url")
        ]
        found = [one for one in running if provider in (one[1], f"{one[0]}/{one[1]}")]
        if len(found) == 1:
            return Endpoint(found[0][2])
        names = ", ".join(f"{plugin}/{name}" for plugin, name, _ in found or running)
        raise ValueError(f'Cannot find provider "{provider}": {"choose one of" if found else "running are"} {names}')

    def list(self, type: str | None = None, **filters: Any) -> Events:
        """Lists events, newest first; of one type, or of all."""
        query = self._query(filters, type=type)
        return [Event.read(one) for one in self._http.json("GET", "/events", query=query)]

    def event(self, id: str) -> Event:
        """Gets one event with its body."""
        return Event.read(self._http.json("GET", f"/events/{quote(id, safe='')}"))

    def wait(
        self, type: str, *, count: int = 1, timeout: float = DEFAULT_TIMEOUT, absent: bool = False, **filters: Any
    ) -> Events:
        """Waits until ``count`` events match, those already held included, and returns them newest first.

        With ``absent``, fewer than ``count`` may match until ``timeout`` seconds are over. Raises ``WaitError``.
        """
        more = {"absent": True} if absent else {}
        query = self._query(filters, type=type, count=count, timeout=_ms(timeout), **more)
        status, body = self._http.send("GET", "/events/wait", query=query, wait=timeout)
        if status >= 400:
            kind = WaitError if status == 409 else RequestError
            raise refusal(status, body, "GET /events/wait", kind)
        return [Event.read(one) for one in json.loads(body)]

    def wait_for(self, type: str, *, timeout: float = DEFAULT_TIMEOUT, **filters: Any) -> Event:
        """Returns the oldest held event that matches, or the next to arrive. Raises ``WaitError``."""
        for name in ("count", "absent", "limit", "offset"):
            if name in filters:
                raise ValueError(f'Cannot use "{name}": it waits for one event; use wait')
        events = self.wait(type, timeout=timeout, **filters)
        return events[-1]

    def expect(
        self,
        type: str | None = None,
        *,
        match: Mapping[str, Any] | None = None,
        count: int | Mapping[str, int] | None = None,
        none: bool = False,
        order: Sequence[Mapping[str, Any]] | None = None,
        timeout: float | None = None,
        **filters: Any,
    ) -> Events:
        """Returns the matching events in order of capture, as soon as the expectation is met.

        ``match`` has conditions by path: ``{"subject": "Welcome", "codes[0]": {"regex": "^[0-9]{6}$"}}``. Raises
        ``ExpectationError``, which describes the difference from the closest event.
        """
        body = self._given(filters, type=type)
        given = {"match": match, "count": count, "none": none or None, "order": order}
        body.update({name: value for name, value in given.items() if value is not None})
        if timeout is not None:
            body["timeout"] = _ms(timeout)
        wait = DEFAULT_TIMEOUT if timeout is None else timeout
        status, answer = self._http.send("POST", "/expect", body=body, wait=wait)
        if status == 409:
            raise ExpectationError(status, json.loads(answer))
        if status >= 400:
            raise refusal(status, answer, "POST /expect")
        return [Event.read(one) for one in json.loads(answer)["events"]]

    def extract(self, event: Event | str) -> Extracted:
        """Returns the one-time codes, links and tokens in the text of an event."""
        if isinstance(event, Event) and event.extracted is not None:
            return event.extracted
        return self.event(event.id if isinstance(event, Event) else event).extracted or Extracted()

    def clear(self, **filters: Any) -> None:
        """Deletes all events, or those that a list with the same filters returns."""
        self._http.json("DELETE", "/events", query=self._query(filters))

    def fault(self, on: str, outcome: str | Sequence[str] | None = None, **rule: Any) -> Fault:
        """Makes a provider fail from now on: ``with standin.fault("mail/mail2", "rate_limit", times=2): ...``."""
        body: dict[str, Any] = {"on": on, **({} if outcome is None else {"outcome": outcome})}
        if self._namespace is not None:
            body["namespace"] = self._namespace
        body.update({_name(name): value for name, value in rule.items()})
        return Fault(self._http, self._http.json("POST", "/faults", body=body)["id"])

    def blob(self, id: str) -> bytes:
        """Reads an attachment, file or object."""
        path = f"/blobs/{quote(id, safe='')}"
        status, body = self._http.send("GET", path)
        if status >= 400:
            raise refusal(status, body, f"GET {path}")
        return body

    def rejected(self) -> Sequence[Mapping[str, Any]]:
        """Lists rejected and unmatched requests, newest first."""
        rejected: Sequence[Mapping[str, Any]] = self._http.json("GET", "/rejected")
        return rejected

    def reset(self) -> None:
        """Resets the whole service, for everybody who uses it."""
        self._http.json("POST", "/reset")

    def ready(self) -> bool:
        """Returns whether every listener accepts connections."""
        return self._http.send("GET", "/ready")[0] == 200

    def _given(self, filters: Mapping[str, Any], **more: Any) -> dict[str, Any]:
        given: dict[str, Any] = {} if self._namespace is None else {"namespace": self._namespace}
        given.update({_name(name): value for name, value in filters.items()})
        given.update({name: value for name, value in more.items() if value is not None})
        for name, value in given.items():
            # A parameter without a value would be dropped, and the condition with it.
            if value is None or value == "":
                raise ValueError(f'Cannot use "{name}": it is empty; leave it out')
        return given

    def _query(self, filters: Mapping[str, Any], **more: Any) -> dict[str, Any]:
        given = self._given(filters, **more)
        return {name: str(value).lower() if isinstance(value, bool) else value for name, value in given.items()}


class Namespace(Standin):
    """A client of one namespace, and what the sender must use so that its messages belong to it.

    Which of the three works is up to the rules of the service. ``start`` starts one that reads all of them.
    """

    @property
    def name(self) -> str:
        assert self._namespace is not None
        return self._namespace

    @property
    def headers(self) -> dict[str, str]:
        """Header fields that put a request or mail into the namespace."""
        return {HEADER: self.name}

    def address(self, address: str) -> str:
        """``ada@example.org`` becomes ``ada+t1@example.org``, for the rule ``*+{namespace}@*``."""
        return address_in(self.name, address)

    def credential(self, credential: str) -> str:
        """``re_any`` becomes ``re_any--t1``, for the rule ``*--{namespace}``."""
        return credential_in(self.name, credential)


class Fault:
    """A fault that was added. As a context manager, it is removed at the end."""

    def __init__(self, http: Http, id: str) -> None:
        self._http = http
        self.id = id

    @property
    def hits(self) -> int:
        """Matches that became a fault so far."""
        return int(self._http.json("GET", f"/faults/{self.id}")["hits"])

    def remove(self) -> None:
        self._http.json("DELETE", f"/faults/{self.id}")

    def __enter__(self) -> Fault:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.remove()


def _name(name: str) -> str:
    return name[:-1] if name.endswith("_") else name


def _ms(seconds: float) -> int:
    return round(seconds * 1000)
