"""Every call of boto3 against the endpoint given; prints what came back as JSON."""

import io
import json
import sys

import boto3
from botocore.config import Config
from botocore.exceptions import ClientError

endpoint = sys.argv[1]
s3 = boto3.client(
    "s3",
    endpoint_url=endpoint,
    region_name="us-east-1",
    aws_access_key_id="any",
    aws_secret_access_key="any",
    config=Config(s3={"addressing_style": "path"}, retries={"max_attempts": 1}, read_timeout=15),
)
seen = {}


def code(call, **arguments):
    try:
        call(**arguments)
    except ClientError as error:
        return [error.response["ResponseMetadata"]["HTTPStatusCode"], error.response["Error"]["Code"]]
    return "no error"


s3.create_bucket(Bucket="pybox")
seen["buckets"] = [bucket["Name"] for bucket in s3.list_buckets()["Buckets"]]

# An empty body with "Expect: 100-continue", then another on the same connection.
s3.put_object(Bucket="pybox", Key="empty", Body=b"")
s3.put_object(Bucket="pybox", Key="ü +/a.txt", Body=b"Hello", Metadata={"colour": "blue"})
got = s3.get_object(Bucket="pybox", Key="ü +/a.txt")
seen["got"] = [got["Body"].read().decode(), got["Metadata"], got["ContentType"]]
seen["empty"] = s3.get_object(Bucket="pybox", Key="empty")["Body"].read().decode()
seen["range"] = s3.get_object(Bucket="pybox", Key="ü +/a.txt", Range="bytes=1-3")["Body"].read().decode()
for algorithm in ["CRC32", "SHA1", "SHA256"]:
    put = s3.put_object(Bucket="pybox", Key=algorithm, Body=b"Hello", ChecksumAlgorithm=algorithm)
    s3.get_object(Bucket="pybox", Key=algorithm, ChecksumMode="ENABLED")["Body"].read()
    seen[algorithm] = put["Checksum" + algorithm]

seen["missing"] = [
    code(s3.get_object, Bucket="pybox", Key="no"),
    code(s3.head_object, Bucket="pybox", Key="no"),
    code(s3.put_object, Bucket="no-bucket", Key="a", Body=b"x"),
    code(s3.put_object, Bucket="pybox", Key="SHA1", Body=b"x", IfNoneMatch="*"),
    code(s3.get_object, Bucket="pybox", Key="SHA1", IfMatch='"x"'),
    code(s3.delete_bucket, Bucket="pybox"),
]

pages = s3.get_paginator("list_objects_v2").paginate(Bucket="pybox", PaginationConfig={"PageSize": 2})
seen["keys"] = [entry["Key"] for page in pages for entry in page["Contents"]]
v1 = s3.list_objects(Bucket="pybox", Delimiter="/", Prefix="ü")
seen["prefixes"] = [entry["Prefix"] for entry in v1["CommonPrefixes"]]

data = bytes(range(256)) * 40_000  # 10 MB: parts
s3.upload_fileobj(io.BytesIO(data), "pybox", "big")
out = io.BytesIO()
s3.download_fileobj("pybox", "big", out)
seen["big"] = out.getvalue() == data
s3.copy({"Bucket": "pybox", "Key": "big"}, "pybox", "big copy")
seen["copied"] = s3.head_object(Bucket="pybox", Key="big copy")["ContentLength"]
attributes = s3.get_object_attributes(
    Bucket="pybox", Key="big", ObjectAttributes=["ObjectParts", "ObjectSize"]
)
seen["parts"] = [attributes["ObjectParts"]["TotalPartsCount"], attributes["ObjectSize"]]

upload = s3.create_multipart_upload(Bucket="pybox", Key="aborted")["UploadId"]
s3.upload_part(Bucket="pybox", Key="aborted", UploadId=upload, PartNumber=1, Body=b"x")
seen["uploads"] = [entry["Key"] for entry in s3.list_multipart_uploads(Bucket="pybox")["Uploads"]]
s3.abort_multipart_upload(Bucket="pybox", Key="aborted", UploadId=upload)
seen["gone"] = code(s3.list_parts, Bucket="pybox", Key="aborted", UploadId=upload)

keys = [{"Key": key} for key in [*seen["keys"], "big", "big copy", "never"]]
seen["deleted"] = len(s3.delete_objects(Bucket="pybox", Delete={"Objects": keys})["Deleted"])
s3.delete_bucket(Bucket="pybox")
seen["left"] = s3.list_buckets()["Buckets"]

print(json.dumps(seen))
