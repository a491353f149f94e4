"""Makes the calls of boto3 for Amazon SNS against the address given, and prints what it saw as JSON."""

import json
import sys

import boto3
from botocore.exceptions import ClientError

client = boto3.client(
    "sns",
    endpoint_url=sys.argv[1],
    region_name="eu-west-1",
    aws_access_key_id="AKIAPYTHON",
    aws_secret_access_key="secret",
)
sent = client.publish(PhoneNumber="+447700900123", Message="Grüße aus Python & €")
topic = client.create_topic(Name="orders")["TopicArn"]
batch = client.publish_batch(
    TopicArn=topic,
    PublishBatchRequestEntries=[{"Id": "a", "Message": "one"}, {"Id": "b", "Message": ""}],
)
try:
    client.publish(PhoneNumber="nobody", Message="x")
    refused = None
except client.exceptions.InvalidParameterException as error:
    refused = error.response["Error"]["Message"]
try:
    client.list_topics()
    unknown = None
except ClientError as error:
    unknown = error.response["Error"]["Code"]
print(
    json.dumps(
        {
            "sent": sent["MessageId"],
            "topic": topic,
            "batch": [batch["Successful"][0]["Id"], batch["Failed"][0]["Code"]],
            "refused": refused,
            "unknown": unknown,
        }
    )
)
