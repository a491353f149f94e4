"""Makes the calls of Verify, Lookup and scheduled messages of the twilio package, and prints what it saw as JSON."""

import datetime
import json
import sys
import urllib.request

from twilio.base.exceptions import TwilioRestException
from twilio.rest import Client

url, api = sys.argv[1:]
client = Client("AC00000000000000000000000000000000", "token")
for domain in (client.api, client.verify, client.lookups, client.messaging):
    domain.base_url = url

TO = "+15558675310"
service = client.verify.v2.services.create(friendly_name="Python")
own = client.verify.v2.services(service.sid)
sent = own.verifications.create(to=TO, channel="sms")
with urllib.request.urlopen(f"{api}/api/v1/sms/messages") as answer:
    code = json.load(answer)[0]["meta"]["verification_code"]
checked = own.verification_checks.create(to=TO, code=code)
try:
    own.verification_checks.create(to=TO, code=code)
    gone = None
except TwilioRestException as error:
    gone = [error.status, error.code]
looked = client.lookups.v2.phone_numbers("+4930123456").fetch(fields="line_type_intelligence")
scheduled = client.messages.create(
    to=TO,
    messaging_service_sid="MG00000000000000000000000000000001",
    body="Later",
    schedule_type="fixed",
    send_at=datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(hours=1),
)
print(
    json.dumps(
        {
            "sent": [sent.status, sent.valid],
            "checked": [checked.status, checked.valid],
            "gone": gone,
            "looked": [looked.valid, looked.country_code, looked.phone_number],
            "scheduled": scheduled.status,
            "services": [item.friendly_name for item in client.verify.v2.services.list()],
        }
    )
)
