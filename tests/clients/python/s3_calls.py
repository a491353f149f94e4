"""Every call of boto3 against the endpoint given; prints what came back as JSON."""

import io
import json
import sys
import urllib.request

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
    config=Config(retries={"max_attempts": 1}, read_timeout=15),
)
told = {}
BUCKET = "story"
UNICODE = "ü +/☃?.txt"
MIB = 1 << 20


def refusal(call, **arguments):
    try:
        call(Bucket=BUCKET, **arguments)
    except ClientError as error:
        return error.response
    return {"ResponseMetadata": {"HTTPStatusCode": 0}, "Error": {"Code": "no error"}}


def status(call, **arguments):
    return refusal(call, **arguments)["ResponseMetadata"]["HTTPStatusCode"]


def code(call, **arguments):
    return refusal(call, **arguments)["Error"]["Code"]


def put(key, body, **more):
    return s3.put_object(Bucket=BUCKET, Key=key, Body=body, **more)


def read(key, **more):
    return s3.get_object(Bucket=BUCKET, Key=key, **more)["Body"].read()


def buckets():
    return [bucket["Name"] for bucket in s3.list_buckets()["Buckets"]]


def objects():
    # An empty body with "Expect: 100-continue", then another on the same connection.
    put("empty", b"")
    put(UNICODE, b"Hello", ContentType="text/plain", Metadata={"colour": "blue"})
    told["empty"] = read("empty").decode()
    got = s3.get_object(Bucket=BUCKET, Key=UNICODE)
    told["got"] = [got["Body"].read().decode(), got["Metadata"]["colour"], got["ContentType"]]
    told["range"] = read(UNICODE, Range="bytes=1-3").decode()
    s3.copy_object(Bucket=BUCKET, Key="copy", CopySource={"Bucket": BUCKET, "Key": UNICODE})
    told["copied"] = read("copy").decode()
    told["missing"] = code(s3.get_object, Key="no")


def conditions():
    etag = s3.head_object(Bucket=BUCKET, Key="copy")["ETag"]
    told["conditions"] = [
        status(s3.get_object, Key="copy", IfMatch='"x"'),
        status(s3.get_object, Key="copy", IfNoneMatch=etag),
        status(s3.put_object, Key="copy", Body=b"x", IfNoneMatch="*"),
    ]


def checksums():
    told["checksums"] = []
    for algorithm in ["CRC32", "CRC32C", "CRC64NVME", "SHA1", "SHA256"]:
        put_it = put("copy", b"Hello", ChecksumAlgorithm=algorithm)
        # Compared by botocore with what comes.
        read("copy", ChecksumMode="ENABLED")
        told["checksums"].append(put_it["Checksum" + algorithm])


def large():
    whole = bytes(range(256)) * 4 * 65536
    put("whole", whole)
    told["whole"] = read("whole") == whole
    parts = whole[: 12 * MIB + 1]
    s3.upload_fileobj(io.BytesIO(parts), BUCKET, "parts")
    out = io.BytesIO()
    s3.download_fileobj(BUCKET, "parts", out)
    told["parts"] = out.getvalue() == parts
    # Above 8 MiB a copy goes by parts, too.
    s3.copy({"Bucket": BUCKET, "Key": "parts"}, BUCKET, "parts copy")
    asked = {"Bucket": BUCKET, "Key": "parts copy", "ObjectAttributes": ["ObjectParts", "ObjectSize"]}
    about = s3.get_object_attributes(**asked)
    told["part_copy"] = [about["ObjectParts"]["TotalPartsCount"], about["ObjectSize"]]
    s3.delete_object(Bucket=BUCKET, Key="parts copy")


def send_part(key, upload, number, body):
    sent = s3.upload_part(Bucket=BUCKET, Key=key, UploadId=upload, PartNumber=number, Body=body)
    return {"PartNumber": number, "ETag": sent["ETag"]}


def multipart():
    upload = s3.create_multipart_upload(Bucket=BUCKET, Key="aborted")["UploadId"]
    send_part("aborted", upload, 1, b"x")
    told["uploads"] = [found["Key"] for found in s3.list_multipart_uploads(Bucket=BUCKET)["Uploads"]]
    s3.abort_multipart_upload(Bucket=BUCKET, Key="aborted", UploadId=upload)
    told["aborted"] = code(s3.list_parts, Key="aborted", UploadId=upload)

    upload = s3.create_multipart_upload(Bucket=BUCKET, Key="resumed")["UploadId"]
    place = {"Bucket": BUCKET, "Key": "resumed", "UploadId": upload}
    first = send_part("resumed", upload, 1, bytes(5 * MIB))
    listed = s3.list_parts(**place)["Parts"][0]["PartNumber"]
    second = send_part("resumed", upload, 2, b"Hello")
    s3.complete_multipart_upload(**place, MultipartUpload={"Parts": [first, second]})
    told["resumed"] = [listed, len(read("resumed"))]


def presigned():
    place = {"Bucket": BUCKET, "Key": "signed"}
    url = s3.generate_presigned_url("put_object", Params=place)
    urllib.request.urlopen(urllib.request.Request(url, data=b"Hello", method="PUT")).read()
    told["presigned"] = urllib.request.urlopen(
        s3.generate_presigned_url("get_object", Params=place)
    ).read().decode()


def listings():
    pages = s3.get_paginator("list_objects_v2").paginate(
        Bucket=BUCKET, PaginationConfig={"PageSize": 2}
    )
    told["keys"] = [entry["Key"] for page in pages for entry in page["Contents"]]
    old = s3.get_paginator("list_objects").paginate(Bucket=BUCKET, PaginationConfig={"PageSize": 3})
    told["version_1"] = [entry["Key"] for page in old for entry in page["Contents"]]
    folded = s3.list_objects(Bucket=BUCKET, Delimiter="/", Prefix="ü")
    told["prefixes"] = [entry["Prefix"] for entry in folded["CommonPrefixes"]]
    told["full"] = code(s3.delete_bucket)
    keys = [{"Key": key} for key in [*told["keys"], "never"]]
    told["deleted"] = len(s3.delete_objects(Bucket=BUCKET, Delete={"Objects": keys})["Deleted"])


s3.create_bucket(Bucket=BUCKET)
told["buckets"] = buckets()
objects()
conditions()
checksums()
large()
multipart()
presigned()
listings()
s3.delete_bucket(Bucket=BUCKET)
told["left"] = len(buckets())
print(json.dumps(told))
