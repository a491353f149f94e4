"""Canned ACLs of boto3 against the endpoint given; prints the grants it reads back as JSON."""

import io
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
    config=Config(retries={"max_attempts": 1}, read_timeout=15),
)
BUCKET_ACLS = ["private", "public-read", "public-read-write", "authenticated-read"]
OBJECT_ACLS = [*BUCKET_ACLS, "aws-exec-read", "bucket-owner-read", "bucket-owner-full-control"]


def shown(answer):
    grants = [(grant["Grantee"], grant["Permission"]) for grant in answer["Grants"]]
    return [f"{to.get('URI') or to['ID']} {permission}" for to, permission in grants]


def acl_of(key):
    return shown(s3.get_object_acl(Bucket="box", Key=key))


told = {"objects": {}, "buckets": {}}
for acl in OBJECT_ACLS:
    s3.put_object(Bucket="box", Key=acl, Body=b"x", ACL=acl)
    told["objects"][acl] = acl_of(acl)
for acl in BUCKET_ACLS:
    bucket = f"box-{acl}"
    s3.create_bucket(Bucket=bucket, ACL=acl, ObjectOwnership="BucketOwnerPreferred")
    told["buckets"][acl] = shown(s3.get_bucket_acl(Bucket=bucket))
source = {"Bucket": "box", "Key": "private"}
s3.copy_object(Bucket="box", Key="copy", CopySource=source, ACL="public-read")
told["copy"] = acl_of("copy")
large = io.BytesIO(bytes(9 << 20))
s3.upload_fileobj(large, "box", "parts", ExtraArgs={"ACL": "public-read"})
told["parts"] = acl_of("parts")
try:
    s3.put_object(Bucket="box", Key="no", Body=b"x", ACL="public")
except ClientError as error:
    answer = error.response
    told["unknown"] = [answer["ResponseMetadata"]["HTTPStatusCode"], answer["Error"]["Code"]]
print(json.dumps(told))
