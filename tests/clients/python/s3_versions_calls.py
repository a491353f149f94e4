"""Writes, reads, pages through and deletes versions with boto3; prints what it saw as JSON."""

import json

import boto3
from s3_client import connect

s3 = connect()
box = connect(kind=boto3.resource).Bucket("box")
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
