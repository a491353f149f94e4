"""The pytest plugin: the fixture ``standin``."""

from __future__ import annotations

import os
from collections.abc import Generator, Mapping
from typing import Any

import pytest

from ._client import Namespace, Standin, connect
from ._errors import StandinError
from ._names import unique_name
from ._process import start


@pytest.fixture(scope="session")
def standin_options() -> Mapping[str, Any]:
    """Arguments of ``standin.start``. Override it to change them."""
    return {}


@pytest.fixture(scope="session")
def standin_service(standin_options: Mapping[str, Any]) -> Generator[Standin, None, None]:
    """The service at ``STANDIN_URL``, or a program that is started for this session or worker."""
    if os.environ.get("STANDIN_URL"):
        yield connect()
        return
    with start(**standin_options) as service:
        yield service


@pytest.fixture
def standin_namespace() -> str:
    """Name of the test's namespace. Override it where the application cannot be told another one for each test."""
    return unique_name(os.environ.get("PYTEST_XDIST_WORKER", "t"))


@pytest.fixture
def standin(standin_service: Standin, standin_namespace: str) -> Namespace:
    """A client of the test's own namespace."""
    return standin_service.namespace(standin_namespace)


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, Any, None]:
    """Shows what the namespace of a failed test holds."""
    outcome = yield
    report = outcome.get_result()
    client = getattr(item, "funcargs", {}).get("standin")
    if report.when != "call" or not report.failed or not isinstance(client, Namespace):
        return
    try:
        events = client.list(limit=20)
    except StandinError:
        return  # The failure itself says more.
    lines = [f"{event.received_at} {event.type} {event.summary} {event.url or ''}".rstrip() for event in events]
    report.sections.append((f"standin, namespace {client.name}", "\n".join(lines) or "nothing was captured"))
