"""Sends a mail that dkimpy signed: host, port, kind of key, path of the private key, canonicalization."""

import smtplib
import sys

import dkim

HOST, PORT, KIND, KEY, FORMS = sys.argv[1], int(sys.argv[2]), *sys.argv[3:]

MESSAGE = (
    b"From: Ada <ada@example.org>\r\n"
    b"To: bob@example.org\r\n"
    b"Subject: =?utf-8?q?Gr=C3=BC=C3=9Fe?=  with  spaces\r\n"
    b"\r\n"
    b"Hello  Bob, \t\r\n.dot\r\nGr\xc3\xbc\xc3\x9fe\r\n\r\n\r\n"
)

with open(KEY, "rb") as file:
    private = file.read()

header = dkim.sign(
    message=MESSAGE,
    selector=b"py",
    domain=b"example.org",
    privkey=private,
    canonicalize=tuple(FORMS.encode().split(b"/")),
    include_headers=[b"from", b"to", b"subject", b"subject"],
    signature_algorithm=KIND.encode(),
)
with smtplib.SMTP(HOST, PORT, timeout=10) as smtp:
    smtp.sendmail("ada@example.org", ["bob@example.org"], header + MESSAGE)
