import { createHash } from "node:crypto";
import { assertEquals } from "@std/assert";
import { s3 } from "../../plugins/s3/mod.ts";
import type { S3Operation } from "../../plugins/s3/model.ts";
import { startService, type TestService } from "./service.ts";

/** Requests to an object store over plain HTTP. */
export interface StoreCalls {
  send(method: string, path: string, init?: RequestInit): Promise<Response>;
  /** Sends, checks the status and returns the text. */
  text(method: string, path: string, status: number, init?: RequestInit): Promise<string>;
  /** Sends and returns status and error code. */
  code(method: string, path: string, init?: RequestInit): Promise<string>;
}

/** An object store with a bucket `box`, unless its settings say otherwise. */
export interface Store extends StoreCalls, AsyncDisposable {
  readonly service: TestService;
}

/** Starts a service with the s3 plugin alone: settings of its provider, and of everything else. */
export async function startStore(
  options: Readonly<Record<string, unknown>> = {},
  more: Readonly<Record<string, unknown>> = {},
): Promise<Store> {
  const providers = { http: { buckets: ["box"], ...options } };
  const config = { plugins: { s3: { providers } }, ...more };
  const service = await startService({ plugins: [s3], config });
  return {
    service,
    ...callsTo(service.endpoint("http").url),
    [Symbol.asyncDispose]: () => service.stop(),
  };
}

/** Returns a client of the object store at an address. */
export function callsTo(url: string): StoreCalls {
  const send: Store["send"] = (method, path, init) =>
    fetch(`${url}${path}`, { method, ...withDigest(path, init) });
  return {
    send,
    async text(method, path, status, init) {
      const response = await send(method, path, init);
      const text = await response.text();
      assertEquals(response.status, status, `${method} ${path}: ${text}`);
      return text;
    },
    async code(method, path, init) {
      const response = await send(method, path, init);
      const text = await response.text();
      return `${response.status} ${/<Code>(.*)<\/Code>/.exec(text)?.[1] ?? ""}`.trim();
    },
  };
}

/** Adds the digest that every client sends with DeleteObjects, unless the request has header fields of its own. */
function withDigest(path: string, init: RequestInit = {}): RequestInit {
  const { body, headers } = init;
  if (typeof body !== "string" || headers !== undefined || !/[?&]delete\b/.test(path)) return init;
  return { ...init, headers: { "content-md5": md5Of(body) } };
}

/** The value of `Content-MD5` for a text. */
export function md5Of(text: string): string {
  return createHash("md5").update(text).digest("base64");
}

/** Returns the texts of all elements of that name that contain only text. */
export function pick(xml: string, name: string): string[] {
  return [...xml.matchAll(new RegExp(`<${name}>([^<]*)</${name}>`, "g"))].map((match) => match[1]!);
}

/** Begins a multipart upload; returns its id. */
export async function begin(
  store: StoreCalls,
  place: string,
  headers: HeadersInit = {},
): Promise<string> {
  return pick(await store.text("POST", `${place}?uploads`, 200, { headers }), "UploadId")[0]!;
}

/** Sends one part, to a place with `uploadId` and `partNumber`; returns its ETag. */
export async function sendPart(store: StoreCalls, place: string, body: BodyInit): Promise<string> {
  const response = await store.send("PUT", place, { body });
  const text = await response.text();
  assertEquals([response.status, text], [200, ""], place);
  return response.headers.get("etag")!;
}

/** The document that completes an upload. */
export function completion(parts: readonly (readonly [number, string])[]): string {
  const list = parts.map(([number, etag]) =>
    `<Part><PartNumber>${number}</PartNumber><ETag>${etag}</ETag></Part>`
  );
  return `<CompleteMultipartUpload>${list.join("")}</CompleteMultipartUpload>`;
}

/** The document that completes the upload at a place, with every part that it has, and their checksums. */
export async function listedCompletion(store: StoreCalls, place: string): Promise<string> {
  const listed = await store.text("GET", place, 200);
  const parts = [...listed.matchAll(/<Part>.*?<\/Part>/g)].map(([part]) =>
    part.replace(/<(LastModified|Size)>.*?<\/\1>/g, "")
  );
  return `<CompleteMultipartUpload>${parts.join("")}</CompleteMultipartUpload>`;
}

/** The result of the same calls with every client: the programs in `tests/clients` print it as JSON. */
export const STORY: Readonly<Record<string, unknown>> = {
  buckets: ["story"],
  empty: "",
  got: ["Hello", "blue", "text/plain"],
  range: "ell",
  copied: "Hello",
  missing: "NoSuchKey",
  // Status of a read with another ETag, a read with the same one, and a write that requires
  // absence.
  conditions: [412, 304, 412],
  // 64 MiB in one request; more than 12 MiB by the client's own upload in parts.
  whole: true,
  parts: true,
  uploads: ["aborted"],
  aborted: "NoSuchUpload",
  // Part known when it resumed, and the total size.
  resumed: [1, 5 * 1024 * 1024 + 5],
  presigned: "Hello",
  keys: ["copy", "empty", "parts", "resumed", "signed", "whole", "ü +/☃?.txt"],
  prefixes: ["ü +/"],
  deleted: 8,
  left: 0,
};

/** Results of clients with calls for tags and versions; newest bodies first. */
export const VERSIONS: Readonly<Record<string, unknown>> = {
  tags: ["a b", "dark blue"],
  versions: ["two", "one"],
  markers: 1,
};

/** Expected events of the same calls. */
const STORY_EVENTS: readonly string[] = [
  "bucket.create story",
  "object.put story/empty of 0 bytes",
  "object.put story/ü +/☃?.txt of 5 bytes as text/plain",
  "object.copy story/copy of 5 bytes from ü +/☃?.txt",
  "object.put story/whole of 67108864 bytes",
  "object.put story/parts of 12582913 bytes in parts",
  "object.put story/resumed of 5242885 bytes in parts",
  "object.put story/signed of 5 bytes",
  "object.delete story/copy",
  "object.delete story/parts",
  "object.put story/v of 3 bytes",
  "object.delete story/v, marker created",
  "object.delete story/v, marker removed",
  "bucket.delete story",
];

/**
 * Fails unless the events match a client's calls in `STORY` and `VERSIONS`, under the client's
 * name. `tagged` is false for a client that cannot send tags with an object.
 */
export function assertStoryEvents(
  { service }: Store,
  agent: string,
  { tagged = true }: { tagged?: boolean } = {},
): void {
  const events = service.events.list({ plugin: "s3" }).filter(({ payload }) =>
    (payload as S3Operation).bucket === "story"
  );
  const told = new Set(events.flatMap(({ payload }) => describe(payload as S3Operation)));
  assertEquals(STORY_EVENTS.filter((line) => !told.has(line)), [], [...told].join("\n"));
  assertEquals(told.has("object.put story/v of 3 bytes, tagged kind=a b"), tagged);
  const others = events.filter(({ meta }) => !String(meta.user_agent).includes(agent));
  // Presigned requests are sent by some other client.
  assertEquals(others.map(({ payload }) => (payload as S3Operation).key), ["signed"]);
  const uploads = new Set(events.map(({ meta }) => `${meta.access_key} ${meta.region}`));
  assertEquals([...uploads], ["any us-east-1"]);
}

/** A short description of an operation, with details that only some clients state. */
function describe(operation: S3Operation): readonly string[] {
  const { bucket, key, size, source, upload_id, tags = {} } = operation;
  const place = `${operation.operation} ${[bucket, key].filter(Boolean).join("/")}`;
  if (operation.operation === "object.delete") {
    const marker = operation.delete_marker;
    return [place, ...marker === undefined ? [] : [`${place}, marker ${marker}`]];
  }
  if (size === undefined) return [place];
  const line = `${place} of ${size} bytes${upload_id === undefined ? "" : " in parts"}`;
  return [
    line,
    `${line} as ${operation.content_type}`,
    ...source === undefined ? [] : [`${line} from ${source.key}`],
    ...Object.entries(tags).map(([name, value]) => `${line}, tagged ${name}=${value}`),
  ];
}

/**
 * A row of the S3 compatibility table: `row("Q1 a target ...", async (store) => ...)`. Its letter
 * is the topic: Q requests, E every response, S statuses and codes, B buckets, L listings, O objects,
 * M uploads in parts, C checksums, D the HTTP stack below, V versions, K encryption, W locks. Unmet
 * rows are in `docs/s3.md`.
 */
export function row(
  name: `${string} ${string}`,
  run: (store: Store) => Promise<void>,
  options: Readonly<Record<string, unknown>> = {},
): void {
  Deno.test(name, async () => {
    await using store = await startStore(options);
    await run(store);
  });
}

/** Sends raw bytes and returns everything until the other side closes, or up to `until`. */
export async function talk(
  service: TestService,
  text: string,
  until?: RegExp,
): Promise<string> {
  const { hostname, port } = service.endpoint("http");
  using conn = await Deno.connect({ hostname, port });
  await conn.write(new TextEncoder().encode(text));
  let answer = "";
  const decoder = new TextDecoder();
  const buffer = new Uint8Array(4096);
  for (let n; (n = await conn.read(buffer)) !== null;) {
    answer += decoder.decode(buffer.subarray(0, n), { stream: true });
    if (until !== undefined && answer.search(until) >= 0) break;
  }
  return answer;
}

/** Puts a small object for each key. */
export async function fill(store: StoreCalls, keys: readonly string[]): Promise<void> {
  for (const key of keys) {
    await store.text("PUT", `/box/${encodeURIComponent(key)}`, 200, { body: key });
  }
}

/** Numbers over the whole catalog. */
export async function statsOf(service: TestService): Promise<Readonly<Record<string, number>>> {
  return (await service.getJson<{ stats: Record<string, number> }>("/s3/buckets")).stats;
}
