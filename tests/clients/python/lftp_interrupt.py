"""Interrupts transfers of lftp at a terminal; prints as JSON what it was answered. lftp_interrupt.py PROGRAM HOST PORT FILE"""

import json
import re
import sys

from terminal import CTRL_C, Terminal

program, host, port, file = sys.argv[1:]
CODE = r"(?m)(?:^|<--- )([1-5]\d\d) "
SLOWLY = "set net:limit-rate 100000:100000; set net:max-retries 1; set xfer:clobber true"


def interrupt(command):
    """Interrupts one transfer in its middle; gives the codes that came then, up to that of a NOOP."""
    at = Terminal(program, "--norc", "-d", "-u", "ada,x", f"ftp://{host}:{port}")
    try:
        at.until("> ")
        at.say(SLOWLY)
        at.until("> ")
        at.say(command)
        at.until("150 ", r"\(\d+%\)")
        at.press(CTRL_C)
        at.until("ABOR")
        at.say("quote NOOP")
        return re.findall(CODE, at.until("---> NOOP")) + re.findall(CODE, at.until("\n200 "))
    except (TimeoutError, EOFError) as error:
        return [str(error)]
    finally:
        at.end()


print(json.dumps({"get": interrupt("get big -o /dev/null"), "put": interrupt(f"put {file} -o up")}))
