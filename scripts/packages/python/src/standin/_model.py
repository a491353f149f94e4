"""What the service returns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit


@dataclass(frozen=True)
class Endpoint:
    """Where a provider listens."""

    #: Such as ``smtp://localhost:1025``.
    url: str

    @property
    def host(self) -> str:
        return urlsplit(self.url).hostname or ""

    @property
    def port(self) -> int:
        port = urlsplit(self.url).port
        if port is None:
            raise ValueError(f"Cannot tell the port of {self.url}: it has none")
        return port


@dataclass(frozen=True)
class Extracted:
    """What a person would copy from a text."""

    #: One-time codes, the most likely first.
    codes: tuple[str, ...] = ()
    #: Links, in order.
    links: tuple[str, ...] = ()
    #: Tokens in links that identify the recipient.
    tokens: tuple[str, ...] = ()

    @staticmethod
    def read(record: Mapping[str, Any]) -> Extracted:
        return Extracted(
            tuple(record.get("codes", ())),
            tuple(record.get("links", ())),
            tuple(record.get("tokens", ())),
        )


@dataclass(frozen=True)
class Event:
    """One captured item."""

    #: 24 lower-case hex digits; sorts by time.
    id: str
    #: Kind of item, such as ``mail.message``.
    type: str
    plugin: str
    provider: str
    #: RFC 3339.
    received_at: str
    #: One line.
    summary: str
    #: The item in the model of its plugin.
    payload: Mapping[str, Any]
    #: What was received.
    raw: Mapping[str, Any]
    #: Further facts of the provider.
    meta: Mapping[str, Any] = field(default_factory=dict)
    #: Namespace of its sender, if it has one.
    namespace: str | None = None
    #: Codes, links and tokens; only of events that were waited for or expected.
    extracted: Extracted | None = None
    #: Page of the user interface about it.
    url: str | None = None
    #: The whole record, as the service sent it.
    record: Mapping[str, Any] = field(default_factory=dict, repr=False, compare=False)

    @staticmethod
    def read(record: Mapping[str, Any]) -> Event:
        extracted = record.get("extracted")
        return Event(
            id=record["id"],
            type=record["type"],
            plugin=record["plugin"],
            provider=record["provider"],
            received_at=record["received_at"],
            summary=record["summary"],
            payload=record.get("payload") or {},
            raw=record.get("raw") or {},
            meta=record.get("meta") or {},
            namespace=record.get("namespace"),
            extracted=None if extracted is None else Extracted.read(extracted),
            url=record.get("url"),
            record=record,
        )
