"""Interrupts transfers of an FTP program at a terminal, as Ctrl-C does; prints what it answered then as JSON.

ftp_interrupt.py PROGRAM HOST PORT FOLDER. In FOLDER are the scripts `slow_in` and `slow_out`: what a transfer goes to
and comes from, which stand still until there is a file `go`.
"""

import json
import os
import re
import sys
import time

from terminal import CTRL_C, Terminal

program, host, port, folder = sys.argv[1:]
CODE = r"(?m)^([1-5]\d\d) "

def interrupt(command):
    """Interrupts one transfer in its middle; gives the codes that came then, and after a NOOP."""
    go = os.path.join(folder, "go")
    if os.path.exists(go):
        os.remove(go)
    at = Terminal(program, "-n", "-v", host, port)
    try:
        for line, code in [("", "220"), ("user ada x", "230"), ("binary", "200")]:
            if line:
                at.say(line)
            at.until(code + " ", "ftp> ")
        at.say(command)
        at.until("150 ")
        # The transfer goes on until nobody takes its bytes, or sends more.
        time.sleep(0.3)
        at.press(CTRL_C)
        at.until("aborted")
        open(go, "w").close()
        codes = re.findall(CODE, at.until("ftp> "))
        at.say("quote NOOP")
        return codes + re.findall(CODE, at.until("ftp> "))
    except (TimeoutError, EOFError) as error:
        return [str(error)]
    finally:
        open(go, "w").close()
        at.end()


slow_in = '"|%s/slow_in"' % folder
slow_out = '"|%s/slow_out"' % folder
print(
    json.dumps(
        {
            "get": interrupt(f"get big {slow_in}"),
            "put": interrupt(f"put {slow_out} up"),
            "append": interrupt(f"append {slow_out} old"),
            "ls": interrupt(f"ls many {slow_in}"),
        }
    )
)
