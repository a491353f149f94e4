"""What Python's ftplib does with a server: sys.argv is host and port; prints one line of JSON."""

import io
import json
import sys
from ftplib import FTP, all_errors

host, port = sys.argv[1], int(sys.argv[2])
answers = {}


def refusal(ftp, path):
    """The code of the reply to an upload."""
    try:
        return ftp.storbinary(f"STOR {path}", io.BytesIO(b"x"))[:3]
    except all_errors as error:
        return str(error)[:3]


with FTP(timeout=10) as ftp:
    ftp.connect(host, port)
    ftp.login("ada", "s3cret")
    ftp.mkd("box")
    ftp.cwd("box")
    answers["pwd"] = ftp.pwd()
    ftp.storbinary("STOR a.bin", io.BytesIO(bytes(range(256)) * 100))
    ftp.storlines("STOR lines.txt", io.BytesIO(b"one\ntwo\n"))
    ftp.storbinary("STOR b.bin", io.BytesIO(b"0123456789"))
    ftp.storbinary("STOR b.bin", io.BytesIO(b"XY"), rest=4)
    answers["size"] = ftp.size("a.bin")
    answers["nlst"] = ftp.nlst()
    answers["wild"] = ftp.nlst("*.bin")
    answers["mlsd"] = sorted((name, facts["type"]) for name, facts in ftp.mlsd("/"))
    back = io.BytesIO()
    ftp.retrbinary("RETR b.bin", back.write)
    answers["b"] = back.getvalue().decode()
    ftp.rename("b.bin", "c.bin")
    ftp.delete("c.bin")
    connection = ftp.transfercmd("STOR aborted.bin")
    connection.sendall(b"half")
    answers["abort"] = ftp.abort()[:3]
    connection.close()
    answers["after"] = ftp.voidresp()[:3] if answers["abort"] == "426" else ""
    answers["alive"] = ftp.voidcmd("NOOP")[:3]
    try:
        ftp.rmd("/box")
    except all_errors as error:
        answers["rmd"] = str(error)[:3]
    answers["hostile"] = [
        refusal(ftp, path)
        for path in ("a\\b", "nul\0nul", "bell\x07", "n" * 256, "d/" * 33 + "f", "n" * 5000)
    ]
    try:
        ftp.storbinary("STOR big", io.BytesIO(bytes(64 * 1024 * 1024 + 1)))
    except all_errors as error:
        answers["big"] = str(error)[:3]
    ftp.encoding = "latin-1"
    answers["hostile"].append(refusal(ftp, "\xff\xfe"))
    ftp.quit()
print(json.dumps(answers))
