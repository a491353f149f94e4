"""The boto3 client of the tests."""

import sys

import boto3
from botocore.config import Config


def connect(endpoint=None, kind=boto3.client, **config):
    """Connects to an endpoint, by default the first argument of the script, without retries."""
    return kind(
        "s3",
        endpoint_url=endpoint or sys.argv[1],
        region_name="us-east-1",
        aws_access_key_id="any",
        aws_secret_access_key="any",
        config=Config(retries={"max_attempts": 1}, read_timeout=15, **config),
    )
