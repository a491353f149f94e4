"""Sends web pushes with pywebpush: web_push_calls.py SUBSCRIPTION GONE"""

import json
import sys

from py_vapid import Vapid
from pywebpush import WebPushException, webpush

subscription, gone = (json.loads(text) for text in sys.argv[1:3])
key = Vapid()
key.generate_keys()
claims = {"sub": "mailto:ada@example.org"}


def send(to, **options):
    try:
        answer = webpush(
            {"endpoint": to["endpoint"], "keys": to["keys"]},
            vapid_private_key=key,
            vapid_claims=dict(claims),
            **options,
        )
        return [answer.status_code, answer.headers["location"], answer.headers["ttl"]]
    except WebPushException as error:
        return [error.response.status_code, error.response.json()["errno"], str(error)[:23]]


print(json.dumps([
    send(subscription, data="Hello from Python", ttl=60),
    send(subscription, data="Older", content_encoding="aesgcm", ttl=0),
    send(subscription, data="x" * 4500),
    send(gone, data="Hello"),
]))
