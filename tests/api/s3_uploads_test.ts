import { assertEquals, assertMatch } from "@std/assert";
import { s3 } from "../../plugins/s3/mod.ts";
import type { ObjectsView, UploadView } from "../../plugins/s3/views.ts";
import { startService, type TestService } from "../support/service.ts";

const CONFIG = { plugins: { s3: { providers: { http: { buckets: ["box", "other"] } } } } };

/** Sends one request to the store; returns the text of the response. */
async function ask(service: TestService, method: string, path: string, body?: string) {
  const init = { method, ...(body === undefined ? {} : { body }) };
  const response = await fetch(`${service.endpoint("http").url}${path}`, init);
  const text = await response.text();
  assertEquals(response.status, 200, text);
  return text;
}

async function startUpload(service: TestService, path: string): Promise<string> {
  const answer = await ask(service, "POST", `${path}?uploads`);
  return /<UploadId>([^<]+)/.exec(answer)?.[1] ?? "";
}

Deno.test("uploads in progress are listed with their parts, and can be aborted", async () => {
  await using service = await startService({ plugins: [s3], config: CONFIG });
  const id = await startUpload(service, "/box/big%20one.bin");
  await startUpload(service, "/other/small");
  await ask(service, "PUT", `/box/big%20one.bin?partNumber=1&uploadId=${id}`, "part one");
  await ask(service, "PUT", `/box/big%20one.bin?partNumber=7&uploadId=${id}`, "seven");

  const uploads = async (query = "") =>
    (await service.getJson<{ uploads: UploadView[] }>(`/s3/uploads${query}`)).uploads;
  assertEquals((await uploads()).map(({ bucket, key }) => `${bucket}/${key}`), [
    "box/big one.bin",
    "other/small",
  ]);
  const [upload] = await uploads("?bucket=box");
  const { initiated, ...rest } = upload!;
  assertMatch(initiated, /^\d{4}-\d\d-\d\dT/);
  assertEquals(rest, {
    upload_id: id,
    bucket: "box",
    key: "big one.bin",
    parts: 2,
    bytes: 13,
    content_type: "binary/octet-stream",
    active: false,
    links: { self: `/api/v1/s3/uploads/${id}` },
  });

  const abort = async () => {
    const response = await fetch(service.api.url + rest.links.self, { method: "DELETE" });
    await response.body?.cancel();
    return response.status;
  };
  assertEquals([await abort(), await abort()], [204, 404]);
  assertEquals((await uploads()).map(({ bucket }) => bucket), ["other"]);
});

Deno.test("an upload with a request in progress is not aborted", async () => {
  await using service = await startService({ plugins: [s3], config: CONFIG });
  const id = await startUpload(service, "/box/slow");
  const { writable, readable } = new TransformStream<Uint8Array, Uint8Array>();
  const sending = fetch(
    `${service.endpoint("http").url}/box/slow?partNumber=1&uploadId=${id}`,
    { method: "PUT", body: readable },
  );
  const writer = writable.getWriter();
  await writer.write(new TextEncoder().encode("begin"));
  const view = async () =>
    (await service.getJson<{ uploads: UploadView[] }>("/s3/uploads")).uploads[0]!;
  while (!(await view()).active);
  const { links } = await view();
  const refused = await fetch(service.api.url + links.self, { method: "DELETE" });
  await refused.body?.cancel();
  assertEquals(refused.status, 409);
  await writer.close();
  await (await sending).text();
  assertEquals((await view()).parts, 1);
});

Deno.test("a search finds keys that contain a text at any level, page by page", async () => {
  await using service = await startService({ plugins: [s3], config: CONFIG });
  for (const key of ["a/Report.pdf", "a/b/report-2.pdf", "a/other", "z/old-REPORT"]) {
    await ask(service, "PUT", `/box/${key}`, "x");
  }
  const list = (query: string) => service.getJson<ObjectsView>(`/s3/buckets/box/objects?${query}`);
  const keys = async (query: string) => (await list(query)).objects.map(({ key }) => key);
  assertEquals(await keys("search=report"), ["a/Report.pdf", "a/b/report-2.pdf", "z/old-REPORT"]);
  assertEquals(await keys("search=report&prefix=a/b/"), ["a/b/report-2.pdf"]);
  assertEquals(await keys("search="), [
    "a/Report.pdf",
    "a/b/report-2.pdf",
    "a/other",
    "z/old-REPORT",
  ]);
  const first = await list("search=report&max_keys=2");
  assertEquals([first.objects.length, first.is_truncated], [2, true]);
  const next = await service.getJson<ObjectsView>(first.next!.replace("/api/v1", ""));
  assertEquals(next.objects.map(({ key }) => key), ["z/old-REPORT"]);
  const folded = await list("search=report&delimiter=/");
  assertEquals(folded.common_prefixes, [
    {
      prefix: "a/",
      list: "/api/v1/s3/buckets/box/objects?prefix=a%2F&delimiter=%2F&search=report",
    },
    {
      prefix: "z/",
      list: "/api/v1/s3/buckets/box/objects?prefix=z%2F&delimiter=%2F&search=report",
    },
  ]);
});
