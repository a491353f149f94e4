import { origins } from "../../../core/options/origins.ts";
import {
  boolean,
  bytes,
  defineOptions,
  integer,
  list,
  optionalBytes,
  optionalText,
  type OptionExtra,
  type OptionSpec,
  port,
  seconds,
} from "../../../core/options/spec.ts";
import { notificationTargets } from "./notification_targets.ts";

const DOMAIN = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/;

/** Declares a lower-case DNS name. */
function domain(about: string, extra: OptionExtra): OptionSpec<string | undefined> {
  const option = optionalText(about, extra);
  const check = (text: string | undefined): string | undefined => {
    if (text === undefined || (DOMAIN.test(text) && !/^[\d.]+$/.test(text))) return text;
    throw new RangeError(`expected a domain such as "s3.localhost" in lower case, not "${text}"`);
  };
  return {
    ...option,
    parse: (text) => check(option.parse(text)),
    check: (value) => check(option.check(value)),
  };
}

const file = { only: "file" } as const;

/** Settings of the object store. */
export const OPTIONS = defineOptions({
  port: port("TCP port of the object store", 9000),
  buckets: list("Buckets that exist from the start", [], { example: ["uploads"] }),
  regions: list(
    "Regions that a bucket can be created in, in addition to those of AWS",
    [],
    { example: ["nyc3"], ...file },
  ),
  domain: domain(
    "Domain whose subdomains are buckets: with s3.localhost, box.s3.localhost is bucket box",
    { example: "s3.localhost" },
  ),
  cors_origins: origins(
    "Origins of web pages that may use buckets without CORS rules, in addition to pages on this machine",
  ),
  max_buckets: integer("Maximum number of buckets", 1000, file),
  max_objects: integer("Maximum number of objects in all buckets", 50_000, file),
  max_active_uploads: integer("Maximum number of pending multipart uploads", 1000, file),
  max_parts: integer("Maximum number of parts of all pending uploads", 10_000, file),
  max_bucket_bytes: integer("Maximum length of a bucket name, in bytes", 255, { min: 3, ...file }),
  max_key_bytes: integer("Maximum length of a key, in bytes of UTF-8", 1024, { min: 1, ...file }),
  max_metadata_bytes: bytes(
    "Maximum size of an object's user metadata, names and values",
    16_384,
    file,
  ),
  max_object_bytes: optionalBytes(
    "Maximum size of an object; by default 64 MiB in memory, and limited only by the disk with --persist",
    { example: "5GiB", ...file },
  ),
  max_xml_bytes: bytes("Maximum size of an XML request body", 2_097_152, file),
  max_header_bytes: integer("Maximum size of a request head, in bytes", 65_536, {
    min: 1024,
    max: 262_144,
    ...file,
  }),
  min_part_bytes: bytes(
    "Minimum size of a part, except for the last; 0 accepts any",
    5_242_880,
    file,
  ),
  read_header_timeout: seconds("Maximum time for the head of a request, in seconds", 10, file),
  read_timeout: seconds("Maximum pause while a request body is read, in seconds", 300, file),
  write_timeout: seconds("Maximum pause while a response is sent, in seconds", 300, file),
  idle_timeout: seconds("Maximum time between two requests on a connection, in seconds", 120, file),
  shutdown_timeout: seconds(
    "Time that pending requests have when the service stops, in seconds; the program itself waits 4",
    10,
    file,
  ),
  aws_chunked: boolean(
    "Accept uploads with aws-chunked framing (STREAMING-*), as sent by minio-go and the SDKs for Java and .NET",
    false,
  ),
  notification_targets: notificationTargets(),
});
