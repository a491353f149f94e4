"""How a sender is marked as one of a namespace."""

from __future__ import annotations

import re
import uuid

#: Header field that names the namespace by default.
HEADER = "X-Standin-Namespace"

#: Rules that read what ``address_in`` and ``credential_in`` make.
RECIPIENT_RULE = "*+{namespace}@*"
CREDENTIAL_RULE = "*--{namespace}"

_NAME = re.compile(r"[A-Za-z0-9_.:]+(?:-[A-Za-z0-9_.:]+)*")


def check_name(name: str) -> str:
    """Returns the name. Raises ``ValueError`` if a rule would read another one, or none."""
    if len(name) <= 64 and _NAME.fullmatch(name):
        return name
    raise ValueError(
        f'Cannot use namespace {name!r}: expected 1 to 64 letters, digits, "_", ".", ":" and single "-" between them'
    )


def unique_name(prefix: str = "t") -> str:
    """Returns a namespace that no other test uses."""
    return check_name(f"{prefix}-{str(uuid.uuid4())[:13]}")


def address_in(name: str, address: str) -> str:
    at = address.rfind("@")
    if at < 1:
        raise ValueError(f"Cannot put {address!r} into a namespace: expected an email address")
    return f"{address[:at]}+{name}{address[at:]}"


def credential_in(name: str, credential: str) -> str:
    return f"{credential}--{name}"
