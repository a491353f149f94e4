"""Settings of buckets put by boto3 against the endpoint given; prints what it reads back as JSON."""

import json

from botocore.exceptions import ClientError
from s3_client import connect

s3 = connect()
BOX = {"Bucket": "box"}


def code(call):
    try:
        call(**BOX)
    except ClientError as error:
        return error.response["Error"]["Code"]
    return "there"


def read(call, *names):
    answer = call(**BOX)
    return {name: answer[name] for name in names if name in answer}


GETS = {
    "cors": s3.get_bucket_cors,
    "encryption": s3.get_bucket_encryption,
    "lifecycle": s3.get_bucket_lifecycle_configuration,
    "lock": s3.get_object_lock_configuration,
    "ownership": s3.get_bucket_ownership_controls,
    "policy": s3.get_bucket_policy,
    "access": s3.get_public_access_block,
    "replication": s3.get_bucket_replication,
    "tagging": s3.get_bucket_tagging,
    "website": s3.get_bucket_website,
}
missing = {name: code(call) for name, call in GETS.items()}
defaults = [
    read(s3.get_bucket_accelerate_configuration, "Status"),
    read(s3.get_bucket_request_payment, "Payer"),
    read(s3.get_bucket_logging, "LoggingEnabled"),
    read(s3.get_bucket_notification_configuration, "QueueConfigurations"),
    s3.get_bucket_policy_status(**BOX)["PolicyStatus"]["IsPublic"],
]

encryption = {
    "Rules": [
        {
            "ApplyServerSideEncryptionByDefault": {"SSEAlgorithm": "aws:kms", "KMSMasterKeyID": "k"},
            "BucketKeyEnabled": True,
        }
    ]
}
lifecycle = {
    "Rules": [
        {
            "ID": "one",
            "Status": "Enabled",
            "Filter": {"And": {"Prefix": "a/", "Tags": [{"Key": "k", "Value": "v"}]}},
            "Expiration": {"Days": 3},
        },
        {
            "ID": "two",
            "Status": "Enabled",
            "Filter": {"Prefix": ""},
            "AbortIncompleteMultipartUpload": {"DaysAfterInitiation": 2},
        },
    ]
}
ownership = {"Rules": [{"ObjectOwnership": "BucketOwnerPreferred"}]}
access = {
    "BlockPublicAcls": True,
    "IgnorePublicAcls": False,
    "BlockPublicPolicy": True,
    "RestrictPublicBuckets": False,
}
website = {"IndexDocument": {"Suffix": "index.html"}, "ErrorDocument": {"Key": "error.html"}}
queues = [
    {
        "Id": "one",
        "QueueArn": "arn:aws:sqs:us-east-1:123456789012:q",
        "Events": ["s3:ObjectCreated:*"],
        "Filter": {"Key": {"FilterRules": [{"Name": "prefix", "Value": "a/"}]}},
    }
]
policy = json.dumps(
    {
        "Version": "2012-10-17",
        "Statement": [
            {"Effect": "Allow", "Principal": "*", "Action": "s3:*", "Resource": "arn:aws:s3:::box/*"}
        ],
    }
)
s3.put_bucket_encryption(**BOX, ServerSideEncryptionConfiguration=encryption)
s3.put_bucket_lifecycle_configuration(**BOX, LifecycleConfiguration=lifecycle)
s3.put_bucket_ownership_controls(**BOX, OwnershipControls=ownership)
s3.put_public_access_block(**BOX, PublicAccessBlockConfiguration=access)
s3.put_bucket_website(**BOX, WebsiteConfiguration=website)
s3.put_bucket_notification_configuration(
    **BOX, NotificationConfiguration={"QueueConfigurations": queues}
)
s3.put_bucket_policy(**BOX, Policy=policy)
same = [
    s3.get_bucket_encryption(**BOX)["ServerSideEncryptionConfiguration"] == encryption,
    s3.get_bucket_lifecycle_configuration(**BOX)["Rules"] == lifecycle["Rules"],
    s3.get_bucket_ownership_controls(**BOX)["OwnershipControls"] == ownership,
    s3.get_public_access_block(**BOX)["PublicAccessBlockConfiguration"] == access,
    read(s3.get_bucket_website, *website) == website,
    s3.get_bucket_notification_configuration(**BOX)["QueueConfigurations"] == queues,
    s3.get_bucket_policy(**BOX)["Policy"] == policy,
    s3.get_bucket_policy_status(**BOX)["PolicyStatus"]["IsPublic"],
]
s3.put_object(**BOX, Key="a", Body=b"x")
s3.put_object_acl(**BOX, Key="a", ACL="public-read")
answer = s3.get_object_acl(**BOX, Key="a")
s3.put_bucket_acl(
    **BOX, AccessControlPolicy={"Owner": answer["Owner"], "Grants": answer["Grants"]}
)
grants = s3.get_bucket_acl(**BOX)["Grants"] == answer["Grants"]
for call in [
    s3.delete_bucket_encryption,
    s3.delete_bucket_lifecycle,
    s3.delete_bucket_ownership_controls,
    s3.delete_bucket_policy,
    s3.delete_public_access_block,
    s3.delete_bucket_website,
]:
    call(**BOX)
again = {name: code(call) for name, call in GETS.items()}
print(
    json.dumps(
        {
            "missing": missing,
            "defaults": defaults,
            "same": same,
            "grants": [len(answer["Grants"]), grants],
            "again": again == missing,
        }
    )
)
