"""Virtual-hosted addresses of boto3: argument 1 is the port, argument 2 the domain; prints what it read as JSON."""

import json
import socket
import sys

import requests
from s3_client import connect

look_up = socket.getaddrinfo


def here(host, *rest, **more):
    """Every name under the domain leads to this machine, as a wildcard of the DNS would."""
    return look_up("127.0.0.1" if host.endswith(sys.argv[2]) else host, *rest, **more)


socket.getaddrinfo = here
s3 = connect(f"http://{sys.argv[2]}:{sys.argv[1]}", s3={"addressing_style": "virtual"})
s3.create_bucket(Bucket="hosted")
s3.put_object(Bucket="hosted", Key="a/b c", Body=b"Hello")
s3.copy_object(Bucket="hosted", Key="copy", CopySource="hosted/a/b c")
url = s3.generate_presigned_url("get_object", Params={"Bucket": "hosted", "Key": "copy"})
keys = [one["Key"] for one in s3.list_objects_v2(Bucket="hosted")["Contents"]]
print(json.dumps({"host": url.split("/")[2].split(":")[0], "keys": keys,
                  "read": requests.get(url, timeout=15).text}))
