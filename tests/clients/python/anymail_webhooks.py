"""Receives what mail vendors report with django-anymail: anymail_webhooks.py PORT SETTINGS. Prints each event as JSON."""
import json, sys
from wsgiref.simple_server import WSGIRequestHandler, make_server
import django
from django.conf import settings
from django.core.wsgi import get_wsgi_application
from django.urls import include, path

port, given = int(sys.argv[1]), json.loads(sys.argv[2])
urlpatterns = [path("anymail/", include("anymail.urls"))]
settings.configure(
    ALLOWED_HOSTS=["*"], ROOT_URLCONF=__name__, SECRET_KEY="any", USE_TZ=True, INSTALLED_APPS=["anymail"],
    ANYMAIL=given, DEFAULT_AUTO_FIELD="django.db.models.AutoField",
)
django.setup()
from anymail.signals import inbound, tracking


def say(**about):
    print(json.dumps(about), flush=True)


def tracked(sender, event, esp_name, **kwargs):
    say(
        vendor=esp_name, type=event.event_type, to=event.recipient, id=event.message_id, why=event.reject_reason,
        response=event.mta_response, url=event.click_url, tags=event.tags, metadata=event.metadata,
    )


def came(sender, event, esp_name, **kwargs):
    message = event.message
    say(
        vendor=esp_name, type="inbound", sender=str(message.from_email), to=[str(one) for one in message.to],
        subject=message.subject, text=(message.text or "").strip(),
        files=[[one.get_filename(), one.get_content_text()] for one in message.attachments],
        inline=sorted(message.content_id_map),
    )


tracking.connect(tracked)
inbound.connect(came)


class Quiet(WSGIRequestHandler):
    def log_message(self, *args):
        pass


server = make_server("127.0.0.1", port, get_wsgi_application(), handler_class=Quiet)
say(vendor="", type="started")
server.serve_forever()
