"""What Python's ftplib does within TLS: sys.argv is host, port and the file of the CA; prints one line of JSON.

With a fourth argument it sends half a file instead, says so, and waits to be killed.
"""

import ftplib
import io
import json
import socket
import ssl
import struct
import sys
import time

host, port, ca = sys.argv[1], int(sys.argv[2]), sys.argv[3]
ftp = ftplib.FTP_TLS(timeout=10, context=ssl.create_default_context(cafile=ca))
ftp.connect(host, port)
ftp.login("ada", "s3cret")
ftp.prot_p()

if len(sys.argv) > 4:
    connection = ftp.transfercmd("STOR half")
    connection.sendall(b"half" * 50_000)
    print("half", flush=True)
    time.sleep(60)


def store(name, reset):
    """Ends an upload without a farewell, in order or with a reset, and gives the reply."""
    connection = ftp.transfercmd(f"STOR {name}")
    connection.sendall(b"no farewell")
    # What waits unread would make any end a reset.
    connection.settimeout(0.2)
    try:
        connection.recv(1)
    except TimeoutError:
        pass
    if reset:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    socket.socket.close(connection)
    try:
        return ftp.voidresp()[:3]
    except ftplib.Error as error:
        return str(error)[:3]


answers = {}
for size in (0, 1, 1024 * 1024):
    data = bytes(i * 7 & 0xFF for i in range(size))
    ftp.storbinary(f"STOR {size}.bin", io.BytesIO(data))
    back = io.BytesIO()
    ftp.retrbinary(f"RETR {size}.bin", back.write)
    answers[str(size)] = back.getvalue() == data
ftp.set_pasv(False)
ftp.storbinary("STOR active.bin", io.BytesIO(b"active"))
ftp.set_pasv(True)
answers["nlst"] = ftp.nlst()
answers["mlsd"] = sorted(name for name, facts in ftp.mlsd("/"))
try:
    ftp.ccc()
except ftplib.all_errors as error:
    answers["ccc"] = str(error)[:3]
answers["in order"] = store("ended.txt", reset=False)
answers["reset"] = store("reset.txt", reset=True)
ftp.prot_c()
ftp.storbinary("STOR clear.bin", io.BytesIO(b"clear"))
answers["bye"] = ftp.quit()[:3]
print(json.dumps(answers))
