"""The package against the real program, which the fixture starts unless STANDIN_URL names one."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest

import standin as package
from standin import Namespace, Standin


def send(url: str, to: str, subject: str, key: str = "re_any", headers: Mapping[str, str] | None = None) -> int:
    """Stands for the code under test."""
    body = {"from": "shop@example.com", "to": to, "subject": subject, "text": "Your code is 493201."}
    given = {"Authorization": f"Bearer {key}", "Content-Type": "application/json", **(headers or {})}
    try:
        with urlopen(Request(f"{url}/emails", json.dumps(body).encode(), given)) as answer:
            return int(answer.status)
    except HTTPError as error:
        with error:
            return error.code


@pytest.fixture
def ingress(standin: Namespace) -> str:
    return standin.endpoint("mail3").url


def test_address_credential_and_header_choose_the_namespace(standin: Namespace, ingress: str) -> None:
    send(ingress, standin.address("ada@example.org"), "one")
    send(ingress, "bob@example.org", "two", key=standin.credential("re_any"))
    send(ingress, "eve@example.org", "three", headers=standin.headers)
    events = standin.wait("mail.message", count=3)
    assert [event.payload["subject"] for event in events] == ["three", "two", "one"]
    assert {event.namespace for event in events} == {standin.name}
    [two] = standin.list("mail.message", subject="two")
    assert two.extracted is None and standin.extract(two).codes == ("493201",)
    standin.clear(plugin="mail", subject="two")
    assert len(standin.list()) == 2


def test_an_expectation_that_fails_shows_the_closest_event(standin: Namespace, ingress: str) -> None:
    send(ingress, standin.address("ada@example.org"), "Welcome")
    standin.expect("mail.message", match={"subject": "Welcome"}, count=1, from_="shop", has_attachments=False)
    standin.expect(order=[{"match": {"codes[0]": {"regex": "^[0-9]{6}$"}}}])
    standin.expect("sms.message", none=True)
    with pytest.raises(package.ExpectationError, match='differs subject: expected "Bye", got "Welcome"') as failed:
        standin.expect("mail.message", match={"subject": "Bye"}, timeout=0)
    assert isinstance(failed.value, AssertionError)
    assert failed.value.verdict["closest"]


def test_what_is_wrong_is_said_in_the_words_of_the_service(standin: Namespace) -> None:
    with pytest.raises(package.WaitError, match="Timed out: 0 of 1 events match after 50 ms"):
        standin.wait_for("mail.message", timeout=0.05)
    with pytest.raises(package.RequestError, match='did you mean "subject"'):
        standin.list("mail.message", subjct="x")
    with pytest.raises(ValueError, match='Cannot use "subject": it is empty'):
        standin.list("mail.message", subject="")
    with pytest.raises(ValueError, match="running are mail/mail1"):
        standin.endpoint("smpt")
    with pytest.raises(ValueError, match="choose one of s3/http, as2/http"):
        standin.endpoint("http")
    with pytest.raises(ValueError, match="Cannot use namespace 'a--b'"):
        standin.namespace("a--b")
    with pytest.raises(package.StandinError, match="Cannot reach standin at http://127.0.0.1:1"):
        package.connect("http://127.0.0.1:1").list()
    with pytest.raises(package.StandinError, match="Cannot start /there/is/none"):
        package.start("/there/is/none")
    assert standin.wait("mail.message", absent=True, timeout=0.05) == []


def test_a_fault_hits_only_the_namespace_of_its_test(standin: Namespace, ingress: str) -> None:
    to = standin.address("ada@example.org")
    with standin.fault("mail/mail3", ["rate_limit", "server_error"]) as fault:
        assert [send(ingress, to, "x") for _ in range(3)] == [429, 500, 200]
        assert send(ingress, "bob@example.org", "x") == 200
        assert fault.hits == 2
    assert send(ingress, to, "x") == 200


@pytest.mark.skipif("STANDIN_PROGRAM" not in os.environ, reason="STANDIN_PROGRAM names no program")
def test_a_program_is_started_and_stopped(tmp_path: Path) -> None:
    with package.start(args=["--instance=of-python"]) as service:
        send(service.ingress, "ada@example.org", "Welcome")
        assert service.wait_for("mail.message", subject="Welcome").payload["to"] == [{"email": "ada@example.org"}]
        assert service.ready()
    with pytest.raises(package.StandinError):
        service.list()
    with pytest.raises(package.StandinError, match="did you mean --smtp-port"):
        package.start(args=["--smpt-port=1"])
    other = tmp_path / "other"
    for said in ["1", "{}", "ready"]:
        other.write_text(f"#!/bin/sh\necho '{said}'\nexec cat\n")
        other.chmod(0o700)
        with pytest.raises(package.StandinError, match="instead of where it listens"):
            package.start(other)


def test_a_failure_shows_what_the_namespace_holds(pytester: pytest.Pytester, standin_service: Standin) -> None:
    pytester.makepyfile("""
        def test_fails(standin):
            from test_standin import send
            send(standin.endpoint("mail3").url, standin.address("ada@example.org"), "Shown")
            standin.wait_for("mail.message")
            assert False
    """)
    pytester.syspathinsert(os.path.dirname(__file__))
    os.environ["STANDIN_URL"] = standin_service.url
    try:
        result = pytester.runpytest_inprocess("-p", "no:django")
    finally:
        del os.environ["STANDIN_URL"]
    result.stdout.re_match_lines(
        [r"-+ standin, namespace \S+ -+", r"\S+ mail\.message shop@example\.com -> ada.*: Shown .*"]
    )


@pytest.mark.parametrize("number", range(24))
def test_in_parallel(standin: Namespace, ingress: str, number: int) -> None:
    """They ask for the same thing of the same recipient, and see only their own."""
    send(ingress, standin.address("ada@example.org"), f"Order {number}")
    standin.expect("mail.message", match={"subject": f"Order {number}"}, count=1)
    assert len(standin.list()) == 1
    standin.clear()
    standin.expect("mail.message", none=True)
