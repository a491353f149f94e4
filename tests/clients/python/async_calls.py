"""aioftp, tftpy and aiosmtplib. Prints what they saw as JSON.

async_calls.py FTP_PORT TFTP_PORT SMTP_PORT FOLDER
"""

import asyncio
import json
import sys
from email.message import EmailMessage
from pathlib import Path

import aioftp
import aiosmtplib
import tftpy

HOST = "127.0.0.1"
BYTES = bytes(range(250)) * 1200

ftp_port, tftp_port, smtp_port = map(int, sys.argv[1:4])
folder = Path(sys.argv[4])
(folder / "up").write_bytes(BYTES)


async def over_ftp():
    async with aioftp.Client.context(HOST, ftp_port, user="ada", password="x") as client:
        await client.make_directory("/box/ü")
        await client.upload(folder / "up", "/box/ü/a", write_into=True)
        await client.rename("/box/ü/a", "/box/b")
        listed = [
            (str(path), int(facts["size"]))
            async for path, facts in client.list("/box", recursive=True)
            if facts["type"] == "file"
        ]
        async with client.download_stream("/box/b", offset=100) as stream:
            same = await stream.read() == BYTES[100:]
        missing = await client.exists("/missing")
        await client.remove("/box/ü")
        size = (await client.stat("/box/b"))["size"]
        return {"listed": listed, "same": same, "missing": missing, "size": size}


def over_tftp():
    seen = []
    for name, options in (("plain.bin", {}), ("blocks.bin", {"blksize": 1400, "tsize": 0})):
        client = tftpy.TftpClient(HOST, tftp_port, options)
        client.upload(name, str(folder / "up"))
        client.download(name, str(folder / "down"))
        seen.append((folder / "down").read_bytes() == BYTES)
    return seen


async def over_smtp():
    message = EmailMessage()
    message["From"] = "Ada Lovelace <ada@example.com>"
    message["To"] = "Bób <bob@example.com>"
    message["Bcc"] = "hidden@example.com"
    message["Subject"] = "Grüße"
    message.set_content("Hällo\n.dot\n")
    replies = []
    for login in ({}, {"username": "ada", "password": "x"}):
        options = {"hostname": HOST, "port": smtp_port, "start_tls": True, "validate_certs": False}
        refused, reply = await aiosmtplib.send(message, **options, **login)
        replies.append([refused, reply.split()[0]])
    return replies


seen = {"ftp": asyncio.run(over_ftp()), "tftp": over_tftp(), "smtp": asyncio.run(over_smtp())}
print(json.dumps(seen))
