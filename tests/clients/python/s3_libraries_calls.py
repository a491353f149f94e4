"""Libraries that are not AWS's, against a store, and pyarrow, against one that takes framed uploads."""

import json
import sys
from urllib.parse import urlsplit

from s3_file_systems import arrow, file_system, storage, streams
from s3_minio_story import story

plain, framed = sys.argv[1:]
print(json.dumps({
    "minio": story(urlsplit(plain).netloc),
    "s3fs": file_system(plain),
    "smart_open": streams(plain),
    "django": storage(plain),
    "pyarrow": arrow(urlsplit(framed).netloc),
}))
