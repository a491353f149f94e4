"""Puts and gets an object while the endpoint given says SlowDown; prints what boto3 made of it as JSON."""

import json
import sys

import boto3
from botocore.config import Config
from botocore.exceptions import ClientError

s3 = boto3.client(
    "s3",
    endpoint_url=sys.argv[1],
    region_name="us-east-1",
    aws_access_key_id="any",
    aws_secret_access_key="any",
    config=Config(retries={"mode": "standard", "max_attempts": 3}),
)
put = s3.put_object(Bucket="box", Key="k", Body=b"hello")["ResponseMetadata"]
told = {"retries": put["RetryAttempts"], "status": put["HTTPStatusCode"]}
try:
    s3.get_object(Bucket="box", Key="k")
except ClientError as error:
    told["code"] = error.response["Error"]["Code"]
    told["attempts"] = error.response["ResponseMetadata"]["RetryAttempts"] + 1
print(json.dumps(told))
