"""Posts a card with the pymsteams package to the address given, and prints what it saw as JSON."""

import json
import sys

import pymsteams

card = pymsteams.connectorcard(sys.argv[1])
card.title("T")
card.text("hello")
card.summary("S")
section = pymsteams.cardsection()
section.activityTitle("Ada")
section.addFact("n", "v")
card.addSection(section)
sent = card.send()

print(json.dumps({"sent": sent, "status": card.last_http_response.status_code}))
