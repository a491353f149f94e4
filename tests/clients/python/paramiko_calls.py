"""What paramiko does with an SFTP server: sys.argv is host, port, a folder and the name of what to do.

Prints one line of JSON.
"""

import json
import sys
from concurrent.futures import ThreadPoolExecutor

import paramiko

host, port, folder, what = sys.argv[1], int(sys.argv[2]), sys.argv[3], sys.argv[4]


def connect():
    """A channel of its own connection, logged in with a password."""
    transport = paramiko.Transport((host, port))
    transport.connect(username="ada", password="s3cret")
    return transport, paramiko.SFTPClient.from_transport(transport)


def failure(work, *args, **more):
    """The kind of error that work ends with."""
    try:
        work(*args, **more)
        return "done"
    except (OSError, paramiko.SSHException) as error:
        return type(error).__name__


def move(sftp):
    """Each argument behind is put:<local>:<path> or get:<path>:<local>."""
    for step in sys.argv[5:]:
        verb, source, target = step.split(":")
        getattr(sftp, verb)(source, target)


def tree(sftp):
    """The tree, its times and its names."""
    answers = {"start": sftp.normalize("."), "up": sftp.normalize("../../a/../b")}
    sftp.mkdir("/dir")
    with sftp.open("/dir/ü b", "wb") as file:
        file.write(b"0123456789")
    sftp.utime("/dir/ü b", (1_500_000_000, 1_500_000_000))
    found = sftp.stat("/dir/ü b")
    answers["stat"] = [found.st_size, found.st_mtime]
    with sftp.open("/dir/ü b", "r+b") as file:
        file.seek(4)
        file.write(b"XY")
    with sftp.open("/dir/ü b", "ab") as file:
        file.write(b"end")
    with sftp.open("/dir/ü b", "rb") as file:
        file.seek(3)
        answers["part"] = file.read(4).decode()
        answers["vector"] = [bytes(part).decode() for part in file.readv([(0, 2), (10, 3)])]
    sftp.truncate("/dir/ü b", 5)
    answers["size"] = sftp.lstat("/dir/ü b").st_size
    answers["exclusive"] = failure(sftp.open, "/dir/ü b", "xb")
    answers["list"] = [[a.filename, a.st_size] for a in sftp.listdir_attr("/dir")]
    sftp.rename("/dir/ü b", "/dir/c")
    sftp.putfo(open(f"{folder}/small", "rb"), "/dir/d")
    answers["over"] = failure(sftp.rename, "/dir/d", "/dir/c")
    sftp.posix_rename("/dir/d", "/dir/c")
    answers["full"] = failure(sftp.rmdir, "/dir")
    answers["link"] = failure(sftp.symlink, "/dir/c", "/link")
    answers["missing"] = failure(sftp.stat, "/nope")
    sftp.chmod("/dir/c", 0o600)
    sftp.remove("/dir/c")
    sftp.rmdir("/dir")
    return answers


def times(sftp):
    """The time of a file that is open, and not written to."""
    with sftp.open("/timed", "w") as file:
        file.write("x")
    with sftp.open("/timed", "r+") as file:
        file.utime((1_400_000_000, 1_400_000_000))
    return sftp.stat("/timed").st_mtime


def full(sftp):
    """What becomes of a write where there is no room, by itself and with the rest of a file."""
    answers = []
    for name, *sizes in (("/small", 3), ("/parts", 1000, int(sys.argv[5]))):
        file = sftp.open(name, "wb")
        answers.append([failure(file.write, b"x" * size) for size in sizes])
        file.close()
    return answers


def limits(sftp):
    """A file over the limit, and the session behind it."""
    refused = failure(sftp.put, f"{folder}/too_large", "/big")
    sftp.putfo(open(f"{folder}/small", "rb"), "/small")
    return refused


def abandon(sftp):
    """The connection ends with a file open."""
    file = sftp.open("/half", "wb")
    file.write(b"half" * 50_000)
    file.stat()
    sftp.sock.transport.sock.close()
    return "closed"


def hostile(sftp):
    """Names as bytes, so that anything goes."""
    names = [
        *(b"nul\0nul", b"line\nline", b"bell\x07", b"\xff\xfe", b"\xed\xa0\x80", b"n" * 256),
        *(b"d/" * 33 + b"f", b"n" * 5000, b"../../../up", b"..\\..\\etc\\passwd", "é".encode()),
    ]
    return [failure(sftp.open, name, "wb") for name in names]


def fifty(sftp):
    """Fifty connections at once."""

    def one(number):
        transport, own = connect()
        own.put(f"{folder}/{number}", f"/all/{number}")
        transport.close()

    sftp.mkdir("/all")
    with ThreadPoolExecutor(50) as pool:
        return len(list(pool.map(one, range(50))))


transport, client = connect()
print(json.dumps(globals()[what](client)))
transport.close()
