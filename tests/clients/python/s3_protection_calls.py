"""Encryption, keys of the customer and object lock with boto3; prints what it saw as JSON."""

import json
from datetime import datetime, timezone

from botocore.exceptions import ClientError
from s3_client import connect

s3 = connect()
seen = {}


def code(call, **arguments):
    try:
        call(**arguments)
        return "none"
    except ClientError as error:
        return error.response["Error"]["Code"]


def read(key, **arguments):
    return s3.get_object(Bucket="box", Key=key, **arguments)["Body"].read().decode()


one = dict(Bucket="box", Key="one")
s3.put_object(**one, ServerSideEncryption="aws:kms", SSEKMSKeyId="alias/key",
              BucketKeyEnabled=True, Body=b"x")
head = s3.head_object(**one)
seen["named"] = [head[name] for name in ["ServerSideEncryption", "SSEKMSKeyId", "BucketKeyEnabled"]]
s3.put_bucket_encryption(Bucket="box", ServerSideEncryptionConfiguration={
    "Rules": [{"ApplyServerSideEncryptionByDefault": {"SSEAlgorithm": "AES256"}}]})
seen["inherited"] = s3.put_object(**one, Body=b"x")["ServerSideEncryption"]

mine = dict(SSECustomerAlgorithm="AES256", SSECustomerKey=b"1" * 32)
other = dict(SSECustomerAlgorithm="AES256", SSECustomerKey=b"2" * 32)
keyed = dict(Bucket="box", Key="keyed")
put = s3.put_object(**keyed, **mine, Body=b"secret")
seen["keyed"] = [put["SSECustomerKeyMD5"], read("keyed", **mine)]
source = dict(CopySource="box/keyed", CopySourceSSECustomerAlgorithm="AES256",
              CopySourceSSECustomerKey=b"1" * 32)
wrong = {**source, "CopySourceSSECustomerKey": b"2" * 32}
seen["refused"] = [
    code(s3.get_object, **keyed),
    code(s3.get_object, **keyed, **other),
    code(s3.copy_object, **one, **wrong),
]
s3.copy_object(Bucket="box", Key="plain", **source)
s3.copy_object(**keyed, **source, **other)
seen["copied"] = [read("plain"), read("keyed", **other)]
parts = dict(Bucket="box", Key="parts")
upload = s3.create_multipart_upload(**parts, **mine)["UploadId"]
sent = s3.upload_part(**parts, **mine, UploadId=upload, PartNumber=1, Body=b"part")
s3.complete_multipart_upload(**parts, UploadId=upload, MultipartUpload={
    "Parts": [{"ETag": sent["ETag"], "PartNumber": 1}]})
seen["parts"] = read("parts", **mine)

s3.create_bucket(Bucket="safe", ObjectLockEnabledForBucket=True)
s3.put_object_lock_configuration(Bucket="safe", ObjectLockConfiguration={
    "ObjectLockEnabled": "Enabled",
    "Rule": {"DefaultRetention": {"Mode": "GOVERNANCE", "Days": 1}}})
lock = s3.get_object_lock_configuration(Bucket="safe")["ObjectLockConfiguration"]
rule = lock["Rule"]["DefaultRetention"]
seen["configuration"] = [lock["ObjectLockEnabled"], rule["Mode"], rule["Days"]]
version = dict(Bucket="safe", Key="a",
               VersionId=s3.put_object(Bucket="safe", Key="a", Body=b"x")["VersionId"])
s3.put_object_retention(**version, Retention={
    "Mode": "GOVERNANCE", "RetainUntilDate": datetime(2090, 1, 1, tzinfo=timezone.utc)})
kept = s3.get_object_retention(**version)["Retention"]
until = kept["RetainUntilDate"].strftime("%Y-%m-%dT%H:%M:%S.000Z")
seen["retention"] = [kept["Mode"], until]
seen["hold"], seen["locked"] = [], []
for status in ["ON", "OFF"]:
    s3.put_object_legal_hold(**version, LegalHold={"Status": status})
    seen["hold"].append(s3.get_object_legal_hold(**version)["LegalHold"]["Status"])
    seen["locked"].append(
        code(s3.delete_object, **version, BypassGovernanceRetention=status == "ON"))
head = s3.head_object(**version)
seen["head"] = [head["ObjectLockMode"], head["ObjectLockLegalHoldStatus"]]
gone = s3.delete_object(**version, BypassGovernanceRetention=True)
seen["bypassed"] = gone["VersionId"] == version["VersionId"]
print(json.dumps(seen))
