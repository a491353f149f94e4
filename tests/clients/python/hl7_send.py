"""Sends with the hl7 package: its client, then a message built with hl7apy; prints what was answered."""
import json
import sys

import hl7
from hl7.client import MLLPClient
from hl7apy.core import Message
from hl7apy.parser import parse_message

PORT = int(sys.argv[1])
TEXT = (
    "MSH|^~\\&|PY|HOSP|LAB|CLINIC|20240101||ORU^R01^ORU_R01|PY1|P|2.5\r"
    "PID|1||4711^^^HOSP||M\u00fcller^J\u00fcrgen\rOBX|1|TX|note||a\\F\\b\\.br\\c\r"
)


def built():
    message = Message("ADT_A01", version="2.5")
    message.msh.msh_3 = "APY"
    message.msh.msh_9 = "ADT^A01^ADT_A01"
    message.msh.msh_10 = "APY1"
    message.msh.msh_11 = "P"
    message.evn.evn_1 = "A01"
    message.evn.evn_2 = "20240101"
    message.pid.pid_3 = "99^^^HOSP"
    message.pid.pid_5 = "Lovelace^Ada"
    message.pv1.pv1_2 = "I"
    return message


with MLLPClient("127.0.0.1", PORT) as client:
    first = hl7.parse(client.send_message(hl7.parse(TEXT)).decode().strip("\x0b\x1c\r"))
    second = client.send(built().to_mllp().encode()).decode()
    answer = parse_message(second.strip("\x0b\x1c\r") + "\r", find_groups=False)
    print(json.dumps([
        [str(first["MSH.F3"]), str(first["MSA.F1"]), str(first["MSA.F2"])],
        [answer.msh.msh_9.value, answer.msa.msa_1.value, answer.msa.msa_2.value],
    ]))
