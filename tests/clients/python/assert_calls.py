"""Waits over HTTP for what the twilio package sends, expects it, and prints what it saw as JSON."""

import json
import sys
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor

from twilio.rest import Client

INGRESS, API = sys.argv[1:3]


def ask(path, body=None):
    """Status and JSON of an answer, whichever it is."""
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(f"{API}/api/v1{path}", data=data)
    try:
        with urllib.request.urlopen(request, timeout=30) as answer:
            return answer.status, json.load(answer)
    except urllib.error.HTTPError as error:
        return error.code, json.load(error)


def expectation(body):
    return {"type": "sms.message", "match": {"payload.body": body, "codes[0]": "482913"}, "timeout": 0}


client = Client("AC00000000000000000000000000000000", "secret")
client.api.base_url = INGRESS
with ThreadPoolExecutor() as pool:
    waiting = pool.submit(ask, "/events/wait?type=sms.message&has=code&timeout=20s")
    client.messages.create(to="+15558675310", from_="+15017122661", body="482913 is your code")
    status, (event,) = waiting.result()
met, _ = ask("/expect", expectation("482913 is your code"))
missed, verdict = ask("/expect", expectation("Your code is 482913"))
print(
    json.dumps(
        {
            "waited": [status, event["extracted"]["codes"]],
            "met": met,
            "missed": missed,
            "closest": [[field["path"], field["met"]] for field in verdict["closest"]["fields"]],
        }
    )
)
