/** Code for the most common tasks with a bucket, folder or object. Every captured word is quoted. */
import { shellQuote } from "../../lib/curl.js";
import { literal, shellWord } from "../../lib/quote.js";

/** @import { SnippetInfo } from "../../lib/types.d.ts" */

/**
 * Returns the address of an object in the store. Slashes stay, unless a client would normalise the path.
 * @param {string} url of the store
 * @param {{ bucket: string, key: string }} place
 */
export function objectUrl(url, { bucket, key }) {
  const segments = key.split("/");
  const joint = hasSteps(key) ? "%2F" : "/";
  return `${url}/${bucket}/${segments.map(encodeURIComponent).join(joint)}`;
}

/**
 * Returns whether some part of a key is `.` or `..`.
 * @param {string} key
 */
function hasSteps(key) {
  return key.split("/").some((segment) => segment === "." || segment === "..");
}

/**
 * Returns whether a browser keeps the URL of a key; it resolves a final `.` or `..`.
 * @param {string} key
 */
export function isAddressable(key) {
  return key !== "." && key !== "..";
}

/**
 * Returns a file name that is safe in any shell.
 * @param {string} key
 */
function fileName(key) {
  const name = (key.split("/").at(-1) ?? "").replace(/[^\w.-]+/g, "_").replace(/^[.-]+/, "");
  return name.slice(-100) || "object";
}

const KEYS =
  "export AWS_ACCESS_KEY_ID=any AWS_SECRET_ACCESS_KEY=any AWS_DEFAULT_REGION=us-east-1\n";

/**
 * @param {string} url
 * @param {string} names what to import besides the client
 */
const nodeClient = (url, names) =>
  `import { ${names}, S3Client } from "@aws-sdk/client-s3";

const s3 = new S3Client({
  endpoint: "${url}",
  forcePathStyle: true,
  region: "us-east-1",
  credentials: { accessKeyId: "any", secretAccessKey: "any" },
});
`;

/** @param {string} url */
const pythonClient = (url) =>
  `import boto3

s3 = boto3.client(
    "s3",
    endpoint_url="${url}",
    region_name="us-east-1",
    aws_access_key_id="any",
    aws_secret_access_key="any",
)
`;

/**
 * Returns code that reads one object.
 * @param {string} url of the store
 * @param {{ bucket: string, key: string }} place
 * @returns {readonly SnippetInfo[]}
 */
export function objectSnippets(url, place) {
  const { bucket, key } = place;
  const file = fileName(key);
  const aws = `aws --endpoint-url ${url} s3api`;
  const named = `--bucket ${bucket} --key ${shellWord(key)}`;
  return [
    {
      title: "curl",
      lang: "sh",
      code: `curl ${isAddressable(key) ? "" : "--path-as-is "}-o ${file} ${
        shellQuote(objectUrl(url, place))
      }`,
    },
    {
      title: "aws CLI",
      lang: "sh",
      code: `${KEYS}${aws} get-object ${named} ${file}
${aws} head-object ${named} --checksum-mode ENABLED`,
    },
    {
      title: "@aws-sdk/client-s3",
      lang: "js",
      code: `${nodeClient(url, "GetObjectCommand")}const { Body, Metadata } = await s3.send(
  new GetObjectCommand({ Bucket: "${bucket}", Key: ${literal(key)} }),
);
console.log(Metadata, await Body.transformToString());`,
    },
    {
      title: "boto3",
      lang: "python",
      code: `${pythonClient(url)}found = s3.get_object(Bucket="${bucket}", Key=${literal(key)})
print(found["Metadata"], found["Body"].read())`,
    },
  ];
}

/**
 * Returns code that lists and fills a bucket or a folder of it.
 * @param {string} url of the store
 * @param {{ bucket: string, prefix: string }} place
 * @returns {readonly SnippetInfo[]}
 */
export function prefixSnippets(url, { bucket, prefix }) {
  const aws = `aws --endpoint-url ${url} s3`;
  const where = shellWord(`s3://${bucket}/${prefix}`);
  const key = `${prefix}hello.txt`;
  const list = `${url}/${bucket}?list-type=2&prefix=${encodeURIComponent(prefix)}`;
  return [
    {
      title: "curl",
      lang: "sh",
      code: `echo Hello | curl -T - ${shellQuote(objectUrl(url, { bucket, key }))}
curl ${shellQuote(list)}`,
    },
    {
      title: "aws CLI",
      lang: "sh",
      code: `${KEYS}echo Hello | ${aws} cp - ${shellWord(`s3://${bucket}/${key}`)}
${aws} ls --recursive ${where}
${aws} sync ${where} ./copy`,
    },
    {
      title: "@aws-sdk/client-s3",
      lang: "js",
      code: `${
        nodeClient(url, "PutObjectCommand, paginateListObjectsV2")
      }const place = { Bucket: "${bucket}" };
await s3.send(new PutObjectCommand({ ...place, Key: ${literal(key)}, Body: "Hello" }));
for await (const page of paginateListObjectsV2({ client: s3 }, { ...place, Prefix: ${
        literal(prefix)
      } })) {
  for (const { Key, Size } of page.Contents ?? []) console.log(Key, Size);
}`,
    },
    {
      title: "boto3",
      lang: "python",
      code: `${pythonClient(url)}s3.put_object(Bucket="${bucket}", Key=${
        literal(key)
      }, Body=b"Hello")
for page in s3.get_paginator("list_objects_v2").paginate(Bucket="${bucket}", Prefix=${
        literal(prefix)
      }):
    for found in page.get("Contents", []):
        print(found["Key"], found["Size"])`,
    },
  ];
}
