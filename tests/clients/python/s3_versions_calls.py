"""Writes, reads, pages through and deletes versions with boto3; prints what it saw as JSON."""
import json, sys, boto3
from botocore.config import Config
config = Config(s3={"addressing_style": "path"})
args = dict(endpoint_url=sys.argv[1], region_name="us-east-1", aws_access_key_id="any",
            aws_secret_access_key="any", config=config)
s3, box = boto3.client("s3", **args), boto3.resource("s3", **args).Bucket("box")
box.Versioning().enable()
read = []
for body in [b"one", b"two"]:
    version = s3.put_object(Bucket="box", Key="a", Body=body)["VersionId"]
    read.append(s3.get_object(Bucket="box", Key="a", VersionId=version)["Body"].read().decode())
marker = s3.delete_object(Bucket="box", Key="a")["DeleteMarker"]
pages = list(s3.get_paginator("list_object_versions").paginate(
    Bucket="box", PaginationConfig={"PageSize": 1}))
listed = [sum(len(page.get(name, [])) for page in pages) for name in ["Versions", "DeleteMarkers"]]
deleted = sum(len(answer["Deleted"]) for answer in box.object_versions.delete())
left = len(list(box.object_versions.all()))
print(json.dumps(dict(read=read, marker=marker, listed=listed, deleted=deleted, left=left)))
