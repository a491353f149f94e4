"""CORS rules and presigned forms of boto3 against the endpoint given; prints what it reads back as JSON."""

import json
import sys

import requests
from botocore.exceptions import ClientError
from s3_client import connect

s3 = connect()


def code(call, **arguments):
    try:
        call(**arguments)
    except ClientError as error:
        return error.response["Error"]["Code"]
    return "taken"


def form(**arguments):
    post = s3.generate_presigned_post("box", "up/${filename}", **arguments)
    files = {"file": ("hello.txt", b"Hello")}
    return requests.post(post["url"], data=post["fields"], files=files, timeout=15)


RULES = [
    {
        "ID": "one",
        "AllowedOrigins": ["https://*.example.com"],
        "AllowedMethods": ["GET", "PUT"],
        "AllowedHeaders": ["*"],
        "ExposeHeaders": ["ETag"],
        "MaxAgeSeconds": 60,
    }
]
none = code(s3.get_bucket_cors, Bucket="box")
s3.put_bucket_cors(Bucket="box", CORSConfiguration={"CORSRules": RULES})
rules = s3.get_bucket_cors(Bucket="box")["CORSRules"]
preflight = requests.options(
    f"{sys.argv[1]}/box/a",
    headers={"Origin": "https://app.example.com", "Access-Control-Request-Method": "PUT"},
    timeout=15,
)
s3.delete_bucket_cors(Bucket="box")
sent = form(Fields={"success_action_status": "201"}, Conditions=[{"success_action_status": "201"}])
told = {
    "none": none,
    "same": rules == RULES,
    "preflight": [preflight.status_code, preflight.headers["Access-Control-Allow-Origin"]],
    "deleted": code(s3.get_bucket_cors, Bucket="box"),
    "form": [sent.status_code, "<Key>up/hello.txt</Key>" in sent.text],
    "expired": form(ExpiresIn=-10).status_code,
    "short": form(Conditions=[["content-length-range", 10, 20]]).status_code,
    "read": s3.get_object(Bucket="box", Key="up/hello.txt")["Body"].read().decode(),
}
print(json.dumps(told))
