"""Notifies with Apprise: apprise_calls.py URL... For each URL, prints whether every call succeeded, as JSON."""
import json, sys
from apprise import Apprise

for url in sys.argv[1:]:
    target = Apprise()
    print(json.dumps(target.add(url) and bool(target.notify(title="Build 7", body="Grüße: it is *green*"))), flush=True)
