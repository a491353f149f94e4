"""Sends with smtplib of the standard library; prints what the client saw as JSON."""

import json
import smtplib
import socket
import ssl
import sys
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTPUTF8

HOST, PORT = sys.argv[2], int(sys.argv[3])


def connect():
    return smtplib.SMTP(HOST, PORT, local_hostname="py.example", timeout=10)


def unchecked():
    context = ssl.create_default_context()
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context


def message(policy=None):
    mail = EmailMessage(policy=policy) if policy else EmailMessage()
    mail["From"] = Address("Ada Lovelace", "ada", "example.com")
    mail["To"] = "bob@example.com"
    mail["Subject"] = "Grüße"
    mail.set_content("Hällo\n.dot\n")
    return mail


def rich():
    mail = message()
    mail["Bcc"] = "hidden@example.com"
    mail.add_alternative('<p>Hällo <img src="cid:pic"></p>', subtype="html")
    mail.get_payload()[1].add_related(b"\x89PNG", "image", "png", cid="<pic>")
    mail.add_attachment(b"\0\1\2", "application", "octet-stream", filename="dätä.bin")
    mail.add_attachment(message())
    with connect() as smtp:
        return smtp.send_message(mail)


def utf8():
    """smtplib adds SMTPUTF8 to the options by itself, so that it is sent twice here."""
    options = ["SMTPUTF8", "BODY=8BITMIME"]
    with connect() as smtp:
        return smtp.send_message(
            message(SMTPUTF8), to_addrs=["δ@example.com"], mail_options=options
        )


def features():
    with connect() as smtp:
        code, _ = smtp.ehlo()
        return [code, sorted(smtp.esmtp_features), smtp.esmtp_features["size"]]


def verbs():
    with connect() as smtp:
        smtp.ehlo()
        return [
            smtp.noop()[0],
            smtp.rset()[0],
            smtp.verify("ada@example.com")[0],
            smtp.expn("all")[0],
            smtp.docmd("XYZZY")[0],
            smtp.mail("a@example.com")[0],
            smtp.mail("a@example.com")[0],
        ]


def login():
    with connect() as smtp:
        smtp.login("ada", "s3cret")
        smtp.send_message(message())
    with connect() as smtp:
        smtp.ehlo()
        smtp.user, smtp.password = "ada", "s3cret"
        smtp.auth("LOGIN", smtp.auth_login)
        smtp.send_message(message())
    with connect() as smtp:
        try:
            smtp.login("ada", "wrong")
        except smtplib.SMTPAuthenticationError as error:
            return [error.smtp_code, error.smtp_error.decode()]


def recipients():
    with connect() as smtp:
        names = [f"r{n}@example.com" for n in range(103)]
        refused = smtp.send_message(message(), to_addrs=names)
        return {name: code for name, (code, _) in refused.items()}


def starttls():
    with connect() as smtp:
        smtp.starttls(context=unchecked())
        smtp.ehlo()
        offered = smtp.has_extn("starttls")
        smtp.send_message(message())
        return offered


def implicit():
    with smtplib.SMTP_SSL(HOST, PORT, context=unchecked(), timeout=10) as smtp:
        return smtp.send_message(message())


def injected():
    """Commands behind STARTTLS in the same packet must not count as sent inside TLS."""
    plain = socket.create_connection((HOST, PORT), timeout=10)
    reader = plain.makefile("rb")
    reader.readline()
    plain.sendall(b"STARTTLS\r\n")
    early = reader.readline()[:3].decode()
    plain.sendall(b"EHLO c\r\n")
    while reader.readline()[3:4] == b"-":
        pass
    plain.sendall(b"STARTTLS\r\nEHLO evil\r\nMAIL FROM:<evil@example.com>\r\n")
    go_ahead = reader.readline()[:3].decode()
    reader.detach()
    with unchecked().wrap_socket(plain) as tls:
        tls.sendall(b"RCPT TO:<b@example.com>\r\n")
        return [early, go_ahead, tls.makefile("rb").readline().decode().strip()]


print(json.dumps(globals()[sys.argv[1]]()))
