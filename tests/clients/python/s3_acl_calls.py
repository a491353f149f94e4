"""Canned ACLs of boto3 against the endpoint given; prints the grants it reads back as JSON."""

import io
import json

from botocore.exceptions import ClientError
from s3_client import connect

s3 = connect()
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
