"""What asyncssh does with an SFTP server: sys.argv is host, port, a folder and the name of what to do.

Prints one line of JSON.
"""

import asyncio
import json
import sys

import asyncssh

host, port, folder, what = sys.argv[1], int(sys.argv[2]), sys.argv[3], sys.argv[4]


async def transfer(**options):
    """There and back over one connection; what was agreed on."""
    async with asyncssh.connect(
        host, port, username="ada", password="s3cret", known_hosts=None, **options
    ) as connection:
        async with connection.start_sftp_client() as sftp:
            await sftp.put(f"{folder}/up", "/up")
            await sftp.get("/up", f"{folder}/down")
        return [
            connection.get_extra_info(name)
            for name in ("send_cipher", "recv_cipher", "send_compression", "recv_compression")
        ]


async def plain():
    """As it comes, with compression offered first."""
    return await transfer(compression_algs=["zlib@openssh.com", "zlib", "none"])


async def rekeyed():
    """Keys are exchanged after every two megabytes, in the middle of what is sent."""
    return await transfer(rekey_bytes=2 << 20)


async def cipher():
    """With one cipher alone, the argument behind."""
    return await transfer(encryption_algs=[sys.argv[5]], rekey_bytes=2 << 20)


print(json.dumps(asyncio.run(globals()[what]())))
