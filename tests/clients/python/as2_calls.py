"""Sends messages with pyas2lib in every combination of layers, and checks each receipt.

Arguments: base address of the ingress, certificate of the service (file), key and certificate of the sender (file);
then subjects, for which signed messages are sent instead, or --later for one message whose receipt comes in a request of
its own. Prints one line of JSON: for each message its name, the status pyas2lib gives it, and the detail.
"""
import json
import queue
import re
import sys
import threading
import urllib.request
from http.server import BaseHTTPRequestHandler, HTTPServer

# oscrypto 1.3.0 takes OpenSSL 3.0.10 and later for unknown: it expects a single digit at the end of the version.
search = re.search
re.search = lambda pattern, *rest: search(
    pattern.replace(r"\d\.\d\.\d[", r"\d\.\d\.\d+[") if isinstance(pattern, str) else pattern, *rest
)

from pyas2lib import Mdn, Message, Organization, Partner

base, service_cert, own_pem = sys.argv[1:4]
own = open(own_pem, "rb").read()
service = open(service_cert, "rb").read()
document = b"UNA:+.? '\r\nUNB+UNOA:1+PARTNER+STANDIN+240101:1200+1'\r\nUNZ+0+1'\r\n"

organization = Organization(
    as2_name="py partner", sign_key=own, sign_key_pass="", decrypt_key=own, decrypt_key_pass=""
)


def verdict(name, headers, body, message):
    raw = "".join(f"{key}: {value}\r\n" for key, value in headers).encode()
    status, detail = Mdn().parse(raw + b"\r\n" + body, lambda *_: message)
    return [name, status, detail]


def send_later(name):
    """Sends a message, and checks the receipt that a request to a server of this program brings."""
    receipts = queue.Queue()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            body = self.rfile.read(int(self.headers["content-length"]))
            receipts.put((self.headers.items(), body))
            self.send_response(200)
            self.end_headers()

        def log_message(self, *_):
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    organization.mdn_url = f"http://127.0.0.1:{server.server_port}/receipts"
    message, answer = post(
        name, "ASYNC", sign=True, encrypt=True, digest_alg="sha256", enc_alg="aes_256_cbc", mdn_digest_alg="sha256"
    )
    with answer:
        assert answer.read() == b"", "the receipt came at once"
    headers, body = receipts.get(timeout=30)
    server.shutdown()
    return verdict(name, headers, body, message)


def post(name, mode, **options):
    partner = Partner(
        as2_name="standin",
        verify_cert=service,
        encrypt_cert=service,
        validate_certs=False,
        mdn_mode=mode,
        **options,
    )
    message = Message(sender=organization, receiver=partner)
    message.build(document, filename="order.edi", subject=name, content_type="application/edifact")
    headers = {key: value.replace("\n", " ").replace("\r", "") for key, value in message.headers.items()}
    request = urllib.request.Request(base + "/as2", data=message.content, headers=headers)
    return message, urllib.request.urlopen(request)


def send(name, **options):
    message, answer = post(name, "SYNC", **options)
    with answer:
        headers, body = answer.getheaders(), answer.read()
    return verdict(name, headers, body, message) if body else [name, "no receipt", None]


if sys.argv[4:] == ["--later"]:
    print(json.dumps([send_later("receipt later")]))
    sys.exit()
if sys.argv[4:]:
    layers = {"sign": True, "digest_alg": "sha256", "mdn_digest_alg": "sha256"}
    print(json.dumps([send(subject, **layers) for subject in sys.argv[4:]]))
    sys.exit()


results = [
    send("plain"),
    send("plain, signed receipt", mdn_digest_alg="sha256"),
    send("compressed", compress=True, mdn_digest_alg="sha256"),
]
for digest in ["sha1", "sha224", "sha256", "sha384", "sha512"]:
    results.append(send(f"signed {digest}", sign=True, digest_alg=digest, mdn_digest_alg=digest))
for cipher in [
    "tripledes_192_cbc",
    "aes_128_cbc",
    "aes_192_cbc",
    "aes_256_cbc",
]:
    results.append(
        send(f"encrypted {cipher}", encrypt=True, enc_alg=cipher, mdn_digest_alg="sha256")
    )
results.append(
    send(
        "all",
        sign=True,
        encrypt=True,
        compress=True,
        digest_alg="sha256",
        enc_alg="aes_256_cbc",
        mdn_digest_alg="sha512",
    )
)
results.append(
    send(
        "pss and oaep",
        sign=True,
        encrypt=True,
        digest_alg="sha256",
        sign_alg="rsassa_pss",
        enc_alg="aes_128_cbc",
        key_enc_alg="rsaes_oaep",
        mdn_digest_alg="sha256",
    )
)
print(json.dumps(results))
