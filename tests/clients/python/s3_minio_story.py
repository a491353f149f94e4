"""Every call of minio-py, with its default settings."""

import io
import urllib.request
from urllib.error import HTTPError

from minio import Minio
from minio.commonconfig import ENABLED, CopySource, Tags
from minio.datatypes import Part
from minio.deleteobjects import DeleteObject
from minio.error import S3Error, ServerError
from minio.versioningconfig import VersioningConfig

BUCKET = "story"
UNICODE = "ü +/☃?.txt"
MIB = 1 << 20


def story(host):
    client = Minio(host, access_key="any", secret_key="any", secure=False)
    client.make_bucket(BUCKET)
    told = {"buckets": buckets(client)}
    for chapter in [objects, conditions, large, multipart, presigned, listings, versions]:
        told.update(chapter(client))
    client.remove_bucket(BUCKET)
    return {**told, "left": len(buckets(client))}


def buckets(client):
    return [bucket.name for bucket in client.list_buckets()]


def put(client, key, body, **more):
    client.put_object(BUCKET, key, io.BytesIO(body), len(body), **more)


def read(client, key, **more):
    with client.get_object(BUCKET, key, **more) as answer:
        return answer.read()


def refusal(call, *arguments, **more):
    try:
        call(*arguments, **more)
    except S3Error as error:
        return error
    raise AssertionError("nothing was raised")


def objects(client):
    put(client, "empty", b"")
    put(client, UNICODE, b"Hello", content_type="text/plain", metadata={"colour": "blue"})
    about = client.stat_object(BUCKET, UNICODE)
    client.copy_object(BUCKET, "copy", CopySource(BUCKET, UNICODE))
    return {
        "empty": read(client, "empty").decode(),
        "got": [
            read(client, UNICODE).decode(),
            about.metadata["x-amz-meta-colour"],
            about.content_type,
        ],
        "range": read(client, UNICODE, offset=1, length=3).decode(),
        "copied": read(client, "copy").decode(),
        "missing": refusal(client.get_object, BUCKET, "no").code,
    }


def status(url, **more):
    try:
        urllib.request.urlopen(urllib.request.Request(url, **more))
    except HTTPError as error:
        return error.code
    raise AssertionError("nothing was refused")


def conditions(client):
    """It has no conditions of its own for writes: that goes by a header of a presigned request."""
    etag = client.stat_object(BUCKET, "copy").etag
    write = client.presigned_put_object(BUCKET, "copy")
    other = refusal(client.get_object, BUCKET, "copy", request_headers={"If-Match": '"x"'})
    try:
        read(client, "copy", request_headers={"If-None-Match": f'"{etag}"'})
    except ServerError as error:
        same = error.status_code
    third = status(write, method="PUT", data=b"x", headers={"If-None-Match": "*"})
    return {"conditions": [other.response.status, same, third]}


def large(client):
    whole = bytes(range(256)) * 4 * 65536
    put(client, "whole", whole, part_size=64 * MIB)
    parts = whole[: 12 * MIB + 1]
    put(client, "parts", parts, part_size=5 * MIB)
    return {"whole": read(client, "whole") == whole, "parts": read(client, "parts") == parts}


def multipart(client):
    """What its own uploads in parts are made of, so that one of them can be left unfinished."""
    def send(key, upload, number, body):
        return Part(number, client._upload_part(BUCKET, key, body, None, upload, number))

    gone = client._create_multipart_upload(BUCKET, "aborted", {})
    send("aborted", gone, 1, b"x")
    uploads = [found.object_name for found in client._list_multipart_uploads(BUCKET).uploads]
    client._abort_multipart_upload(BUCKET, "aborted", gone)
    aborted = refusal(client._list_parts, BUCKET, "aborted", gone).code

    upload = client._create_multipart_upload(BUCKET, "resumed", {})
    first = send("resumed", upload, 1, bytes(5 * MIB))
    listed = client._list_parts(BUCKET, "resumed", upload).parts[0].part_number
    second = send("resumed", upload, 2, b"Hello")
    client._complete_multipart_upload(BUCKET, "resumed", upload, [first, second])
    return {
        "uploads": uploads,
        "aborted": aborted,
        "resumed": [listed, len(read(client, "resumed"))],
    }


def presigned(client):
    write = client.presigned_put_object(BUCKET, "signed")
    urllib.request.urlopen(urllib.request.Request(write, data=b"Hello", method="PUT")).read()
    with urllib.request.urlopen(client.presigned_get_object(BUCKET, "signed")) as answer:
        return {"presigned": answer.read().decode()}


def listings(client):
    pages = client.list_objects(BUCKET, recursive=True, extra_query_params={"max-keys": "2"})
    keys = [found.object_name for found in pages]
    prefixes = [found.object_name for found in client.list_objects(BUCKET) if found.is_dir]
    named = [*keys, "never"]
    errors = list(client.remove_objects(BUCKET, [DeleteObject(key) for key in named]))
    return {"keys": keys, "prefixes": prefixes, "deleted": len(named) - len(errors)}


def tags_of(name, value):
    tags = Tags.new_object_tags()
    tags[name] = value
    return tags


def versions(client):
    client.set_bucket_versioning(BUCKET, VersioningConfig(ENABLED))
    put(client, "v", b"one", tags=tags_of("kind", "a b"))
    tags = [*client.get_object_tags(BUCKET, "v").values()]
    client.set_object_tags(BUCKET, "v", tags_of("colour", "dark blue"))
    tags += client.get_object_tags(BUCKET, "v").values()
    put(client, "v", b"two")
    client.remove_object(BUCKET, "v")
    found = list(client.list_objects(BUCKET, include_version=True))
    bodies = [
        read(client, "v", version_id=one.version_id).decode()
        for one in found
        if not one.is_delete_marker
    ]
    for one in found:
        client.remove_object(BUCKET, "v", version_id=one.version_id)
    return {"tags": tags, "versions": bodies, "markers": len(found) - len(bodies)}
