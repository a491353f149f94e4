"""Every call of boto3 against the endpoint given; prints what came back as JSON."""

import base64
import datetime
import hashlib
import io
import json
import sys
import urllib.request
import zlib

from botocore.exceptions import ClientError
from s3_client import connect

endpoint = sys.argv[1]
s3 = connect()
told = {}
BUCKET = "story"
UNICODE = "ü +/☃?.txt"
MIB = 1 << 20


def refusal(call, **arguments):
    try:
        call(**{"Bucket": BUCKET, **arguments})
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


def digest(algorithm, body):
    if algorithm == "CRC32":
        return zlib.crc32(body).to_bytes(4, "big")
    return hashlib.new(algorithm.lower(), body).digest()


def encode(value):
    return base64.b64encode(value).decode()


def sum_of_parts(algorithm, kind, bodies):
    if kind == "FULL_OBJECT":
        return encode(digest(algorithm, b"".join(bodies)))
    whole = digest(algorithm, b"".join(digest(algorithm, body) for body in bodies))
    return f"{encode(whole)}-{len(bodies)}"


def composites():
    """A checksum of the whole, stated when the parts are put together, and told by every answer after."""
    bodies = [b"A" * 5 * MIB, b"B" * 5 * MIB, b"C"]
    told["composites"] = []
    place = {"Bucket": BUCKET, "Key": "sums"}
    for algorithm, kind in [
        ("SHA256", "COMPOSITE"),
        ("SHA1", "COMPOSITE"),
        ("CRC32", "COMPOSITE"),
        ("CRC32", "FULL_OBJECT"),
    ]:
        begun = s3.create_multipart_upload(
            **place, ChecksumAlgorithm=algorithm, ChecksumType=kind
        )
        at = {**place, "UploadId": begun["UploadId"]}
        name = "Checksum" + algorithm
        parts = []
        for number, body in enumerate(bodies, 1):
            sent = s3.upload_part(**at, PartNumber=number, Body=body, ChecksumAlgorithm=algorithm)
            parts.append({"PartNumber": number, "ETag": sent["ETag"], name: sent[name]})
        expected = sum_of_parts(algorithm, kind, bodies)
        stated = {name: expected, "ChecksumType": kind}
        answers = [
            s3.complete_multipart_upload(**at, MultipartUpload={"Parts": parts}, **stated),
            s3.head_object(**place, ChecksumMode="ENABLED"),
            s3.get_object_attributes(**place, ObjectAttributes=["Checksum"])["Checksum"],
        ]
        told["composites"].append(
            all(answer[name] == expected and answer["ChecksumType"] == kind for answer in answers)
        )
        part = s3.get_object(**place, PartNumber=2)
        told["composites"].append(part["Body"].read() == bodies[1] and part[name] == parts[1][name])
    s3.delete_object(**place)


def guarded():
    """Deletions under conditions, and of versions that are not there."""
    etag = put("guarded", b"Hello")["ETag"]
    old = datetime.datetime(2015, 1, 1)
    told["guarded"] = [
        code(s3.delete_object, Key="guarded", IfMatch='"x"'),
        code(s3.delete_object, Key="guarded", IfMatchSize=9),
        code(s3.delete_object, Key="guarded", IfMatchLastModifiedTime=old),
        code(s3.delete_object, Key="guarded", VersionId="0" * 32),
        code(s3.get_object, Key="guarded", VersionId="0" * 32),
    ]
    entries = [
        {"Key": "guarded", "ETag": '"x"'},
        {"Key": "guarded", "LastModifiedTime": old},
        {"Key": "guarded", "Size": 9},
        {"Key": "guarded", "VersionId": "0" * 32},
    ]
    refused = s3.delete_objects(Bucket=BUCKET, Delete={"Objects": entries})
    told["guarded"] += [error["Code"] for error in refused["Errors"]]
    changed = s3.head_object(Bucket=BUCKET, Key="guarded")["LastModified"]
    entry = {
        "Key": "guarded",
        "VersionId": "null",
        "ETag": etag,
        "Size": 5,
        "LastModifiedTime": changed,
    }
    done = s3.delete_objects(Bucket=BUCKET, Delete={"Objects": [entry]})
    told["guarded"] += [gone["VersionId"] for gone in done["Deleted"]]


def refused():
    place = {"CreateBucketConfiguration": {"LocationConstraint": "mars-north-1"}}
    told["refused"] = [code(s3.create_bucket, Bucket="far-away", **place)]
    place["CreateBucketConfiguration"]["LocationConstraint"] = "eu-central-1"
    s3.create_bucket(Bucket="far-away", **place)
    told["refused"] += [s3.get_bucket_location(Bucket="far-away")["LocationConstraint"]]
    accelerate = s3.put_bucket_accelerate_configuration
    told["refused"] += [code(accelerate, Bucket="far-away", AccelerateConfiguration={})]
    accelerate(Bucket="far-away", AccelerateConfiguration={"Status": "Enabled"})
    told["refused"] += [s3.get_bucket_accelerate_configuration(Bucket="far-away")["Status"]]
    s3.delete_bucket(Bucket="far-away")


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
composites()
guarded()
refused()
presigned()
listings()
s3.delete_bucket(Bucket=BUCKET)
told["left"] = len(buckets())
print(json.dumps(told))
