"""Times what tls_bench.ts compares: cert key https smtp smtps ftp, the last four being ports.

Prints milliseconds by name as JSON: of a new connection with one exchange, and of one file.
"""

import ftplib
import http.client
import io
import json
import multiprocessing
import smtplib
import socket
import ssl
import statistics
import sys
import time

ROUNDS = 60
HOST = "127.0.0.1"

cert, key, *ports = sys.argv[1:]
https, smtp, smtps, ftp = map(int, ports)
client = ssl.create_default_context()
client.check_hostname = False
client.verify_mode = ssl.CERT_NONE


def bare(listener):
    """Returns what it receives, within TLS."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(cert, key)
    while True:
        conn, _ = listener.accept()
        conn.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        with context.wrap_socket(conn, server_side=True) as within:
            within.sendall(within.recv(100))


def echo(port):
    with client.wrap_socket(socket.create_connection((HOST, port))) as conn:
        conn.sendall(b"x")
        conn.recv(100)


def get(port):
    conn = http.client.HTTPSConnection(HOST, port, context=client)
    conn.request("GET", "/")
    conn.getresponse().read()
    conn.close()


def upgrade(port):
    with smtplib.SMTP(HOST, port) as conn:
        conn.starttls(context=client)
        conn.ehlo()


def greet(port):
    smtplib.SMTP_SSL(HOST, port, context=client).quit()


def median(work):
    times = []
    for _ in range(ROUNDS):
        begun = time.perf_counter()
        work()
        times.append((time.perf_counter() - begun) * 1000)
    return statistics.median(times)


def files(session):
    session.connect(HOST, ftp)
    session.login("ada", "x")
    if isinstance(session, ftplib.FTP_TLS):
        session.prot_p()
    up = median(lambda: session.storbinary("STOR a", io.BytesIO(b"x" * 1024)))
    down = median(lambda: session.retrbinary("RETR a", lambda data: None))
    session.quit()
    return up, down


listener = socket.create_server((HOST, 0))
server = multiprocessing.Process(target=bare, args=(listener,), daemon=True)
server.start()
seen = {
    "bare": median(lambda: echo(listener.getsockname()[1])),
    "https": median(lambda: get(https)),
    "starttls": median(lambda: upgrade(smtp)),
    "smtps": median(lambda: greet(smtps)),
}
server.terminate()
seen["clearUp"], seen["clearDown"] = files(ftplib.FTP())
seen["tlsUp"], seen["tlsDown"] = files(ftplib.FTP_TLS(context=client))
print(json.dumps(seen))
