"""Configures event notifications of a bucket, changes objects, and tidies up."""

import json

import s3_client
from botocore.exceptions import ClientError

s3 = s3_client.connect()
BOX = {"Bucket": "box"}
ARN = "arn:aws:{}:us-east-1:123456789012:{}"


def rules(prefix, suffix):
    names = {"prefix": prefix, "suffix": suffix}
    return {"Key": {"FilterRules": [{"Name": n, "Value": v} for n, v in names.items()]}}


configuration = {
    "QueueConfigurations": [
        {
            "Id": "images",
            "QueueArn": ARN.format("sqs", "images"),
            "Events": ["s3:ObjectCreated:*", "s3:ObjectRemoved:*", "s3:ObjectTagging:*"],
            "Filter": rules("in/", ".jpg"),
        }
    ],
    "TopicConfigurations": [
        {"TopicArn": ARN.format("sns", "texts"), "Events": ["s3:ObjectCreated:Copy"]}
    ],
}
overlapping = {
    "QueueConfigurations": [
        {"QueueArn": ARN.format("sqs", "a"), "Events": ["s3:ObjectCreated:*"]},
        {"QueueArn": ARN.format("sqs", "b"), "Events": ["s3:ObjectCreated:Put"]},
    ]
}
try:
    s3.put_bucket_notification_configuration(**BOX, NotificationConfiguration=overlapping)
    refused = None
except ClientError as error:
    refused = error.response["Error"]["Code"]

# The two share no event: the queue has one of its own for copies of images.
configuration["QueueConfigurations"][0]["Events"][0:1] = [
    "s3:ObjectCreated:Put",
    "s3:ObjectCreated:CompleteMultipartUpload",
]
s3.put_bucket_notification_configuration(**BOX, NotificationConfiguration=configuration)
kept = s3.get_bucket_notification_configuration(**BOX)
named = bool(kept["TopicConfigurations"][0]["Id"])

s3.put_object(**BOX, Key="in/notes.txt", Body=b"not an image")
put = s3.put_object(**BOX, Key="in/red flower ü.jpg", Body=b"12345")
s3.put_object_tagging(
    **BOX, Key="in/red flower ü.jpg", Tagging={"TagSet": [{"Key": "colour", "Value": "red"}]}
)
s3.copy_object(**BOX, Key="out", CopySource={"Bucket": "box", "Key": "in/notes.txt"})
s3.delete_object_tagging(**BOX, Key="in/red flower ü.jpg")
upload = s3.create_multipart_upload(**BOX, Key="in/large.jpg")
part = s3.upload_part(
    **BOX, Key="in/large.jpg", UploadId=upload["UploadId"], PartNumber=1, Body=b"large"
)
s3.complete_multipart_upload(
    **BOX,
    Key="in/large.jpg",
    UploadId=upload["UploadId"],
    MultipartUpload={"Parts": [{"PartNumber": 1, "ETag": part["ETag"]}]},
)
s3.delete_object(**BOX, Key="in/red flower ü.jpg")
print(
    json.dumps(
        {
            "refused": refused,
            "named": named,
            "etag": put["ETag"].strip('"'),
            "request_id": put["ResponseMetadata"]["RequestId"],
        }
    )
)
