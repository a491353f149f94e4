/**
 * Every header field and parameter in botocore's model of S3: an operation that has it takes it, or refuses it by name;
 * any other operation refuses it by name. A new one in the model fails until it is in the table. An operation that the
 * store lacks is refused, and not taken for another one.
 */
import { assert, assertEquals } from "@std/assert";
import { checkFields } from "../../plugins/s3/http/fields.ts";
import type { OperationName } from "../../plugins/s3/http/operation_name.ts";
import { checkParameters } from "../../plugins/s3/http/parameters.ts";
import { pick, startStore } from "../support/s3.ts";
import { runBoto3 } from "../support/s3_clients.ts";

interface Modelled {
  readonly header: readonly string[];
  readonly querystring: readonly string[];
  readonly method: string;
  /** With `{Bucket}` and `{Key+}`. */
  readonly uri: string;
}

type Model = Readonly<Record<string, Modelled>>;

/** Former names of operations that the store has, and one whose request is that of another. */
const SAME = new Set([
  "GetBucketLifecycle",
  "GetBucketNotification",
  "ListDirectoryBuckets",
  "PutBucketLifecycle",
  "PutBucketNotification",
]);

/** Of a model after the pinned one. */
const NEWER: Readonly<Record<string, Pick<Modelled, "method" | "uri">>> = {
  DeleteObjectAnnotation: { method: "DELETE", uri: "/{Bucket}/{Key+}?annotation" },
  GetObjectAnnotation: { method: "GET", uri: "/{Bucket}/{Key+}?annotation" },
  PutObjectAnnotation: { method: "PUT", uri: "/{Bucket}/{Key+}?annotation" },
  UpdateBucketMetadataAnnotationTableConfiguration: {
    method: "PUT",
    uri: "/{Bucket}?metadataAnnotationTable",
  },
};

/** Refused by name everywhere: what the store lacks. */
const LEFT_OUT = new Set([
  "x-amz-client-token",
  "x-amz-create-session-mode",
  "x-amz-grant-full-control",
  "x-amz-grant-read",
  "x-amz-grant-read-acp",
  "x-amz-grant-write",
  "x-amz-grant-write-acp",
  "x-amz-rename-source",
  "x-amz-rename-source-if-match",
  "x-amz-rename-source-if-modified-since",
  "x-amz-rename-source-if-none-match",
  "x-amz-rename-source-if-unmodified-since",
  "x-amz-request-route",
  "x-amz-request-token",
  "x-amz-write-offset-bytes",
]);

/** Accepted by every operation: it describes the body or the sender, or HTTP gives it no effect elsewhere. */
const EVERYWHERE = new Set([
  "cache-control",
  "content-length",
  "content-md5",
  "content-type",
  "range",
  "x-amz-checksum-algorithm",
  "x-amz-expected-bucket-owner",
  "x-amz-mfa",
  "x-amz-request-payer",
  "x-amz-sdk-checksum-algorithm",
  "x-amz-source-expected-bucket-owner",
]);

/** Digests, which the operations check where they read bodies. */
const DIGEST = /^x-amz-checksum-(crc|md5|sha|xxhash)/;

/** Values of fields that have only some. */
const VALUES: Readonly<Record<string, string>> = {
  "x-amz-bucket-namespace": "global",
  "x-amz-bucket-object-lock-enabled": "true",
  "x-amz-checksum-algorithm": "CRC32",
  "x-amz-checksum-mode": "ENABLED",
  "x-amz-checksum-type": "FULL_OBJECT",
  "x-amz-confirm-remove-self-bucket-access": "true",
  "x-amz-expected-bucket-owner": "123456789012",
  "x-amz-object-ownership": "ObjectWriter",
  "x-amz-optional-object-attributes": "RestoreStatus",
  "x-amz-request-payer": "requester",
  "x-amz-sdk-checksum-algorithm": "CRC32",
  "x-amz-skip-destination-validation": "true",
  "x-amz-source-expected-bucket-owner": "123456789012",
  "x-amz-storage-class": "STANDARD_IA",
  "x-amz-transition-default-minimum-object-size": "varies_by_storage_class",
  "x-amz-website-redirect-location": "/b",
};

/** Fields whose operations differ from the model, with the reason. */
const OTHERWISE = new Set([
  // Forms of uploads that other SDKs send.
  "x-amz-checksum-type PutObject",
  "x-amz-checksum-type UploadPart",
  // Sent with parts by JetS3t, and with reads by pages.
  "content-disposition UploadPart",
  "content-encoding UploadPart",
  "content-language UploadPart",
  "expires UploadPart",
  "expires GetObject",
  "expires HeadObject",
  // Needed by Amazon's support only.
  "x-amz-bucket-object-lock-token PutBucketReplication",
]);

/** The error's text, if refused. */
function refusal(check: () => void): string | undefined {
  try {
    check();
  } catch (error) {
    assert(error instanceof Error);
    return error.message;
  }
}

async function servedOperations(): Promise<readonly OperationName[]> {
  const path = new URL("../../plugins/s3/http/operation_name.ts", import.meta.url);
  const text = await Deno.readTextFile(path);
  return [...text.matchAll(/\| "(\w+)"/g)].map((match) => match[1] as OperationName)
    .filter((name) => name !== "PostObject");
}

Deno.test("every header field and parameter of botocore's model is taken or refused by name", async (t) => {
  const seen = await runBoto3(t, "s3_model.py");
  if (seen === undefined) return;
  const model = seen.printed as Model;
  const operations = await servedOperations();
  assertEquals(operations.filter((name) => model[name] === undefined), []);
  const all = (place: "header" | "querystring") =>
    new Set(Object.values(model).flatMap((one) => one[place]));
  const wrong: string[] = [];
  const judge = (name: string, operation: string, { wanted, said }: {
    wanted: boolean;
    said: string | undefined;
  }) => {
    if (wanted !== (said === undefined) || !(said ?? name).includes(name)) {
      wrong.push(`${name} ${operation}: ${said ?? "accepted"}`);
    }
  };
  for (const operation of operations) {
    for (const spelled of all("header")) {
      const name = spelled.toLowerCase();
      if (DIGEST.test(name) || name.startsWith("x-amz-fwd-")) continue;
      const has = model[operation]!.header.includes(spelled) !==
        OTHERWISE.has(`${name} ${operation}`);
      const wanted = !LEFT_OUT.has(name) && (has || EVERYWHERE.has(name));
      const headers = new Headers({ [name]: VALUES[name] ?? "1" });
      judge(name, operation, { wanted, said: refusal(() => checkFields(headers, operation)) });
    }
    for (const name of all("querystring")) {
      // It selects the operation, so that the router refuses it.
      if (name === "uploadId") continue;
      const query = new URLSearchParams({ [name]: "1" });
      const wanted = model[operation]!.querystring.includes(name);
      judge(name, operation, { wanted, said: refusal(() => checkParameters(query, operation)) });
    }
  }
  assertEquals(wrong, []);
});

Deno.test("an operation of botocore's model that the store lacks is refused and changes nothing", async (t) => {
  const seen = await runBoto3(t, "s3_model.py");
  if (seen === undefined) return;
  const served: ReadonlySet<string> = new Set(await servedOperations());
  const lacking = Object.entries({ ...seen.printed as Model, ...NEWER })
    .filter(([name]) => !served.has(name) && !SAME.has(name));
  await using store = await startStore();
  await store.text("PUT", "/box/key", 200, { body: "kept" });
  for (const [name, { method, uri }] of lacking) {
    const path = uri.replace("{Bucket}", "box").replace(/\{Key\+?\}/, "key");
    const body = method === "PUT" || method === "POST" ? { body: "content" } : {};
    const code = await store.code(method, path, body);
    assert(/^(501 NotImplemented|405 MethodNotAllowed)$/.test(code), `${name}: ${code}`);
  }
  assertEquals(await store.text("GET", "/box/key", 200), "kept");
  assertEquals(pick(await store.text("GET", "/", 200), "Name"), ["box"]);
});
