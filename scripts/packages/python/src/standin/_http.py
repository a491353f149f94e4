"""Calls of the read-back API."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import urlencode
from urllib.request import ProxyHandler, Request, build_opener

from ._errors import RequestError, StandinError

# The application under test may be sent to standin by a proxy variable, which is not meant for this.
_OPENER = build_opener(ProxyHandler({}))

#: Seconds that an answer may take longer than the wait that was asked for.
_MARGIN = 10.0


class Http:
    """Sends requests to one service."""

    def __init__(self, url: str, headers: Mapping[str, str]) -> None:
        self.url = url.rstrip("/")
        self.headers = dict(headers)

    def send(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, Any] | None = None,
        body: Mapping[str, Any] | None = None,
        wait: float = 5.0,
    ) -> tuple[int, bytes]:
        """Returns status and body, of a refusal too."""
        url = f"{self.url}/api/v1{path}"
        if query:
            url = f"{url}?{urlencode(query)}"
        headers = {**self.headers, **({} if body is None else {"Content-Type": "application/json"})}
        data = None if body is None else json.dumps(body).encode()
        request = Request(url, data=data, headers=headers, method=method)
        try:
            with _OPENER.open(request, timeout=wait + _MARGIN) as answer:
                return answer.status, answer.read()
        except HTTPError as error:
            with error:
                return error.code, error.read()
        except (URLError, OSError) as error:
            reason = getattr(error, "reason", error)
            raise StandinError(
                f"Cannot reach standin at {self.url}: {reason}; start it with `standin serve`, "
                "or set STANDIN_URL to where it is"
            ) from None

    def json(self, method: str, path: str, **more: Any) -> Any:
        """Returns the answer. Raises ``RequestError``, with what the service says, for a refusal."""
        status, body = self.send(method, path, **more)
        if status >= 400:
            raise refusal(status, body, f"{method} {path}")
        return json.loads(body) if body else None


def refusal(status: int, body: bytes, what: str, kind: type[RequestError] = RequestError) -> RequestError:
    """The error of a response."""
    try:
        message = json.loads(body)["error"]
    except (ValueError, KeyError, TypeError):
        message = f"{what} was answered {status}: {body[:2000].decode(errors='replace')}"
    return kind(status, str(message))
