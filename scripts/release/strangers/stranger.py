# A project of somebody else's, with the package for Python from a release: sends an email and finds it.
import json
import urllib.request

import standin

MAIL = {"from": "shop@example.com", "to": "ada@example.org", "subject": "Hello from Python", "text": "x"}

with standin.start() as service:
    request = urllib.request.Request(
        f"{service.ingress}/emails",
        data=json.dumps(MAIL).encode(),
        headers={"Authorization": "Bearer re_any", "Content-Type": "application/json"},
    )
    urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request).close()
    print(service.wait_for("mail.message", to="ada@example.org").payload["subject"])
