"""Calls off transfers with every part of the telnet Synch as urgent data, and asks for the status with urgent data, as
Ruby's Net::FTP does; prints what was answered as JSON.

ftp_urgent.py HOST PORT
"""

import json
import re
import socket
import sys
import time

host, port = sys.argv[1:]
# What is sent as urgent data, of which the last byte does not come with the others, and what follows it.
SYNCHS = {
    "IAC IP IAC, DM ABOR": (b"\xff\xf4\xff", b"\xf2ABOR\r\n"),
    "IAC IP IAC DM, ABOR": (b"\xff\xf4\xff\xf2", b"ABOR\r\n"),
    "IAC, IP IAC DM ABOR": (b"\xff", b"\xf4\xff\xf2ABOR\r\n"),
    "IAC IP, ABOR": (b"\xff\xf4", b"ABOR\r\n"),
    "DM, ABOR": (b"\xf2", b"ABOR\r\n"),
    "ABOR, nothing": (b"ABOR\r\n", b""),
    "nothing, IAC IP IAC DM ABOR": (b"", b"\xff\xf4\xff\xf2ABOR\r\n"),
}


class Client:
    def __init__(self):
        self.control = socket.create_connection((host, int(port)), timeout=10)
        self.text = b""
        for command in [None, "USER ada", "PASS x", "TYPE I"]:
            self.ask(command)

    def reply(self):
        while not (found := re.search(rb"(?m)^(\d{3}) .*\r\n", self.text)):
            read = self.control.recv(4096)
            if not read:
                raise EOFError(self.text)
            self.text += read
        self.text = self.text[found.end() :]
        return found[1].decode()

    def ask(self, command):
        if command is not None:
            self.control.sendall(command.encode() + b"\r\n")
        return self.reply()

    def data(self):
        self.control.sendall(b"EPSV\r\n")
        while not (found := re.search(rb"\|\|\|(\d+)\|.*\r\n", self.text)):
            self.text += self.control.recv(4096)
        self.text = self.text[found.end() :]
        return socket.create_connection((host, int(found[1])), timeout=10)

    def call_off(self, synch):
        urgent, rest = synch
        if urgent:
            self.control.send(urgent, socket.MSG_OOB)
        if rest:
            self.control.sendall(rest)


def codes(command, synch, times=1, sends=b""):
    """The codes of a transfer that is called off, and of a NOOP."""
    client = Client()
    try:
        data = client.data()
        begun = client.ask(command)
        if sends:
            data.sendall(sends)
            # So much came that the server reads on.
            time.sleep(0.05)
        for _ in range(times):
            client.call_off(synch)
        if sends:
            data.close()
        found = [begun] + [client.reply() for _ in range(times + 1)]
        data.close()
        return " ".join([*found, client.ask("NOOP")])
    except (OSError, EOFError) as error:
        return str(error)
    finally:
        client.control.close()


def statuses():
    """The codes of STAT, sent as urgent data in an idle session and during a transfer, and of a NOOP after each."""
    client = Client()
    try:
        found = []
        for command in ["STAT", "STAT old"]:
            client.control.send(command.encode() + b"\r\n", socket.MSG_OOB)
            found += [client.reply(), client.ask("NOOP")]
        data = client.data()
        found.append(client.ask("STOR later"))
        client.control.send(b"STAT\r\n", socket.MSG_OOB)
        data.sendall(b"x" * 1000)
        data.close()
        found += [client.reply(), client.reply(), client.ask("NOOP"), client.ask("DELE later")]
        client.control.send(b"QUIT\r\n", socket.MSG_OOB)
        return " ".join([*found, client.reply()])
    except (OSError, EOFError) as error:
        return str(error)
    finally:
        client.control.close()


told = {
    name: {
        # Nobody takes the bytes.
        "RETR": codes("RETR big", synch),
        # It has ended before.
        "LIST": codes("LIST", synch),
        "STOR": codes("STOR up", synch, sends=b"x" * 1000),
        "APPE": codes("APPE old", synch, sends=b"x" * 200_000),
        "twice": codes("RETR big", synch, times=2),
    }
    for name, synch in SYNCHS.items()
}
print(json.dumps({"synchs": told, "statuses": statuses()}))
