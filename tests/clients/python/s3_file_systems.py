"""Libraries that make files of objects: s3fs, smart_open, the storage of django-storages and pyarrow."""

import io
import urllib.request

import django.conf
import pyarrow
import pyarrow.dataset
import pyarrow.fs
import pyarrow.parquet
import s3fs
import smart_open
from s3_client import connect
from smart_open.s3 import iter_bucket

MIB = 1 << 20
LARGE = bytes(range(256)) * 48 * 1024 + b"x"


def fetch(url):
    with urllib.request.urlopen(url) as answer:
        return answer.read().decode()


def write_parts(file):
    for at in range(0, len(LARGE), 4 * MIB):
        file.write(LARGE[at : at + 4 * MIB])


def file_system(endpoint):
    """s3fs, as pandas and dask use it."""
    fs = s3fs.S3FileSystem(
        key="any",
        secret="any",
        endpoint_url=endpoint,
        client_kwargs={"region_name": "us-east-1"},
        version_aware=True,
    )
    fs.mkdir("s3fs")
    fs.make_bucket_versioned("s3fs")
    fs.pipe("s3fs/dir/small", b"Hello")
    # A copy onto itself.
    fs.setxattr("s3fs/dir/small", colour="blue")
    with fs.open("s3fs/dir/large", "wb", block_size=5 * MIB) as file:
        write_parts(file)
    # Larger than a part, so what is there is copied as one.
    with fs.open("s3fs/dir/large", "ab") as file:
        file.write(b"more")
    told = {
        "large": fs.cat("s3fs/dir/large") == LARGE + b"more",
        "range": fs.cat_file("s3fs/dir/small", start=1, end=4).decode(),
        "colour": fs.getxattr("s3fs/dir/small", "colour"),
    }
    fs.put_tags("s3fs/dir/small", {"kind": "a b"})
    fs.put_tags("s3fs/dir/small", {"colour": "dark blue"}, mode="m")
    told["tags"] = fs.get_tags("s3fs/dir/small")
    fs.cp("s3fs/dir/small", "s3fs/dir/copy")
    fs.mv("s3fs/dir/copy", "s3fs/moved")
    fs.pipe("s3fs/moved", b"second")
    told["versions"] = [
        fs.open("s3fs/moved", version_id=found["VersionId"]).read().decode()
        for found in fs.object_version_info("s3fs/moved")
        if not found.get("IsDeleteMarker", False)
    ]
    told["signed"] = fetch(fs.sign("s3fs/moved"))
    with fs.open("s3fs/dropped", "wb", block_size=5 * MIB, autocommit=False) as file:
        write_parts(file)
    told["unfinished"] = [found["Key"] for found in fs.list_multipart_uploads("s3fs")]
    fs.clear_multipart_uploads("s3fs")
    told["found"] = sorted(fs.find("s3fs"))
    told["listed"] = sorted(fs.ls("s3fs"))
    told["sizes"] = [fs.size("s3fs/moved"), fs.isdir("s3fs/dir"), fs.exists("s3fs/copy")]
    try:
        fs.cat("s3fs/no")
    except FileNotFoundError as error:
        told["missing"] = type(error).__name__
    fs.rm("s3fs/dir", recursive=True)
    told["left"] = fs.find("s3fs")
    return told


def streams(endpoint):
    """smart_open over boto3."""
    client = connect(endpoint)
    client.create_bucket(Bucket="smart")
    client.put_bucket_versioning(
        Bucket="smart", VersioningConfiguration={"Status": "Enabled"}
    )

    def at(key, mode, **more):
        return smart_open.open(f"s3://smart/{key}", mode, transport_params={"client": client, **more})

    with at("lines.txt.gz", "w", client_kwargs={}) as file:
        file.writelines(f"line {i} é\n" for i in range(1000))
    with at("large", "wb", min_part_size=5 * MIB) as file:
        file.write(LARGE)
    with at("small", "wb", multipart_upload=False) as file:
        file.write(b"one")
    with at("small", "wb", multipart_upload=False) as file:
        file.write(b"two")
    try:
        with at("dropped", "wb") as file:
            file.write(b"x")
            raise InterruptedError
    except InterruptedError:
        pass
    told = {"lines": sum(1 for _ in at("lines.txt.gz", "r"))}
    with at("large", "rb") as file:
        file.seek(-3, io.SEEK_END)
        tail = file.read()
        file.seek(0)
        told["large"] = tail == LARGE[-3:] and file.read() == LARGE
    versions = client.list_object_versions(Bucket="smart", Prefix="small")["Versions"]
    told["versions"] = [at("small", "rb", version_id=v["VersionId"]).read().decode() for v in versions]
    told["unfinished"] = client.list_multipart_uploads(Bucket="smart").get("Uploads", [])
    signed = client.generate_presigned_url("get_object", Params={"Bucket": "smart", "Key": "small"})
    told["signed"] = smart_open.open(signed).read()
    account = {
        "aws_access_key_id": "any",
        "aws_secret_access_key": "any",
        "region_name": "us-east-1",
    }
    walked = iter_bucket(
        "smart", workers=2, client_kwargs={"endpoint_url": endpoint}, session_kwargs=account
    )
    told["walked"] = sorted((key, len(body)) for key, body in walked if key != "lines.txt.gz")
    return told


def storage(endpoint):
    """The storage of django-storages, with names that do not overwrite."""
    django.conf.settings.configure()
    from django.core.files.base import ContentFile
    from storages.backends.s3 import S3Storage

    connect(endpoint).create_bucket(Bucket="media")
    files = S3Storage(
        bucket_name="media",
        endpoint_url=endpoint,
        access_key="any",
        secret_key="any",
        region_name="us-east-1",
        default_acl="public-read",
        file_overwrite=False,
        object_parameters={"CacheControl": "max-age=60", "Tagging": "kind=a%20b"},
    )
    first = files.save("photos/a.txt", ContentFile(b"Hello"))
    second = files.save("photos/a.txt", ContentFile(b"again"))
    files.save("large.bin", ContentFile(LARGE))
    with files.open("written.bin", "wb") as file:
        file.write(LARGE)
    told = {
        "names": [first, second != first, files.exists(second), files.exists("no")],
        "read": files.open(first).read().decode(),
        "large": [files.open(name).read() == LARGE for name in ["large.bin", "written.bin"]],
        "signed": fetch(files.url(first)),
        "size": files.size(first),
        "modified": files.get_modified_time(first).tzinfo is not None,
    }
    files.delete(second)
    told["listed"] = files.listdir("") + files.listdir("photos")
    try:
        files.open("no").read()
    except FileNotFoundError as error:
        told["missing"] = type(error).__name__
    return told


def arrow(host):
    """pyarrow, which writes tables by the SDK for C++."""
    fs = pyarrow.fs.S3FileSystem(
        access_key="any",
        secret_key="any",
        endpoint_override=host,
        scheme="http",
        region="us-east-1",
        allow_bucket_creation=True,
        allow_bucket_deletion=True,
    )
    fs.create_dir("arrow/dir")
    table = pyarrow.table({"year": [2024, 2025, 2025], "name": ["Ada", "é", None]})
    pyarrow.parquet.write_table(table, "arrow/dir/one.parquet", filesystem=fs)
    pyarrow.dataset.write_dataset(
        table, "arrow/set", filesystem=fs, format="parquet", partitioning=["year"]
    )
    with fs.open_output_stream("arrow/large", metadata={"Content-Type": "text/plain"}) as file:
        file.write(LARGE)
        file.write(LARGE)
    with fs.open_output_stream("arrow/empty"):
        pass
    with fs.open_input_file("arrow/large") as file:
        file.seek(1)
        told = {"range": file.read(3).hex()}
        file.seek(0)
        told["large"] = file.read() == LARGE * 2
        told["type"] = file.metadata()["Content-Type"].decode()
    again = pyarrow.parquet.read_table("arrow/dir/one.parquet", filesystem=fs)
    told["table"] = again.equals(table)
    part = pyarrow.dataset.dataset("arrow/set", filesystem=fs, partitioning=["year"])
    told["rows"] = part.count_rows(filter=pyarrow.dataset.field("year") == 2025)
    fs.copy_file("arrow/large", "arrow/copy")
    fs.move("arrow/copy", "arrow/dir/moved")
    selector = pyarrow.fs.FileSelector("arrow", recursive=True)
    found = fs.get_file_info(selector)
    told["files"] = sorted(f"{one.path} {one.size}" for one in found if one.size and one.size > MIB)
    told["folders"] = sorted(one.path for one in found if one.type == pyarrow.fs.FileType.Directory)
    told["kinds"] = [
        fs.get_file_info(path).type.name for path in ["arrow/empty", "arrow/set", "arrow/no"]
    ]
    fs.delete_dir("arrow/set")
    fs.delete_file("arrow/large")
    told["left"] = sorted(one.path for one in fs.get_file_info(selector))
    fs.delete_dir("arrow")
    try:
        fs.open_input_file("arrow/no")
    except FileNotFoundError as error:
        told["missing"] = type(error).__name__
    pyarrow.fs.finalize_s3()
    return told
