/** What S3 clients rely on: multipart uploads (M). */
import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import {
  begin,
  completion,
  fill,
  pick,
  row,
  sendPart,
  statsOf,
  type Store,
} from "../support/s3.ts";

row("M1 an upload begins with its headers and metadata, and answers where it is", async (store) => {
  const headers = { "content-type": "text/plain", "x-amz-meta-colour": "blue" };
  const begun = await store.text("POST", "/box/dir/m?uploads", 200, { headers });
  assertMatch(
    begun,
    /<InitiateMultipartUploadResult [^>]*><Bucket>box<\/Bucket><Key>dir\/m<\/Key><UploadId>/,
  );
  const at = `/box/dir/m?uploadId=${pick(begun, "UploadId")[0]}`;
  const etag = await sendPart(store, `${at}&partNumber=1`, "x");
  await store.text("POST", at, 200, { body: completion([[1, etag]]) });
  const kept = (await store.send("HEAD", "/box/dir/m")).headers;
  assertEquals([kept.get("content-type"), kept.get("x-amz-meta-colour")], ["text/plain", "blue"]);
});

row(
  "M2 an upload tells the algorithm and type of checksum that it was asked for",
  async (store) => {
    const rows: readonly (readonly [string, string | undefined, string])[] = [
      ["CRC32", undefined, "COMPOSITE"],
      ["CRC32C", "FULL_OBJECT", "FULL_OBJECT"],
      ["CRC64NVME", undefined, "FULL_OBJECT"],
      ["SHA256", undefined, "COMPOSITE"],
    ];
    for (const [algorithm, type, told] of rows) {
      const { headers, body } = await store.send("POST", "/box/m?uploads", {
        headers: {
          "x-amz-checksum-algorithm": algorithm,
          ...(type === undefined ? {} : { "x-amz-checksum-type": type }),
        },
      });
      await body?.cancel();
      assertEquals(headers.get("x-amz-checksum-algorithm"), algorithm);
      assertEquals(headers.get("x-amz-checksum-type"), told);
    }
  },
);

row("M3 a part may be sent again, and replaces the one before it", async (store) => {
  const at = `/box/m?uploadId=${await begin(store, "/box/m")}`;
  const first = await sendPart(store, `${at}&partNumber=1`, "first");
  const again = await sendPart(store, `${at}&partNumber=1`, "again!");
  assertEquals(pick(await store.text("GET", at, 200), "Size"), ["6"]);
  assertEquals(await store.code("POST", at, { body: completion([[1, first]]) }), "400 InvalidPart");
  await store.text("POST", at, 200, { body: completion([[1, again]]) });
  assertEquals(await store.text("GET", "/box/m", 200), "again!");
});

row(
  "M4 part numbers need neither begin at 1 nor be dense, and some may be left out",
  async (store) => {
    const at = `/box/m?uploadId=${await begin(store, "/box/m")}`;
    await sendPart(store, `${at}&partNumber=3`, "left out");
    const last = await sendPart(store, `${at}&partNumber=10000`, "b");
    const first = await sendPart(store, `${at}&partNumber=2`, "a");
    await store.text("POST", at, 200, { body: completion([[2, first], [10_000, last]]) });
    assertEquals(await store.text("GET", "/box/m", 200), "ab");
    assertEquals((await statsOf(store.service)).parts, 0);
  },
  { min_part_bytes: 0 },
);

row("M5 a part is copied from an object, or from a range of one", async (store) => {
  await fill(store, ["0123456789"]);
  const at = `/box/m?uploadId=${await begin(store, "/box/m")}`;
  const copy = async (number: number, range?: string) => {
    const headers = {
      "x-amz-copy-source": "box/0123456789",
      ...(range === undefined ? {} : { "x-amz-copy-source-range": range }),
    };
    const done = await store.text("PUT", `${at}&partNumber=${number}`, 200, { headers });
    assertMatch(done, /<CopyPartResult [^>]*><LastModified>[^<]+<\/LastModified><ETag>&quot;/);
    return [number, pick(done, "ETag")[0]!] as const;
  };
  const parts = [await copy(1, "bytes=2-4"), await copy(2), await copy(3, "bytes=9-9")];
  const body = completion(parts.map(([number, etag]) => [number, etag]));
  await store.text("POST", at, 200, { body });
  assertEquals(await store.text("GET", "/box/m", 200), "23401234567899");
}, { min_part_bytes: 0 });

row(
  "M6 a completion tells location, bucket, key and tag; tags may come quoted or bare",
  async (store) => {
    for (const bare of [false, true]) {
      const at = `/box/d%20/m?uploadId=${await begin(store, "/box/d%20/m")}`;
      const etag = await sendPart(store, `${at}&partNumber=1`, "x");
      const body = completion([[1, bare ? etag.replaceAll('"', "") : etag]]);
      const done = await store.text("POST", at, 200, { body });
      assertEquals(pick(done, "Location"), [`${store.service.endpoint("http").url}/box/d%20/m`]);
      assertEquals([pick(done, "Bucket"), pick(done, "Key")], [["box"], ["d /m"]]);
      assertMatch(pick(done, "ETag")[0]!, /^&quot;[0-9a-f]{32}-1&quot;$/);
    }
  },
);

row("M7 a completion asked for again is answered the same, not 404", async (store) => {
  const at = `/box/m?uploadId=${await begin(store, "/box/m")}`;
  const body = completion([[1, await sendPart(store, `${at}&partNumber=1`, "x")]]);
  // Two at a time, too.
  const [done, twin] = await Promise.all(
    [0, 1].map(() => store.text("POST", at, 200, { body })),
  );
  assertEquals([twin, await store.text("POST", at, 200, { body })], [done, done]);
  await store.text("DELETE", "/box/m", 204);
  assertEquals(await store.text("POST", at, 200, { body }), done);
  assertEquals(store.service.events.list({ type: "s3.object.put" }).length, 1);
});

row("M8 an aborted upload is gone with 204, and leaves the object alone", async (store) => {
  await fill(store, ["m"]);
  const at = `/box/m?uploadId=${await begin(store, "/box/m")}`;
  await sendPart(store, `${at}&partNumber=1`, "new");
  assertEquals(await store.text("GET", "/box/m", 200), "m");
  await store.text("DELETE", at, 204);
  assertEquals(await store.text("GET", "/box/m", 200), "m");
  const { active_uploads, parts, part_bytes } = await statsOf(store.service);
  assertEquals([active_uploads, parts, part_bytes], [0, 0, 0]);
});

row("M9 parts are listed by number, by the page", async (store) => {
  const at = `/box/m?uploadId=${await begin(store, "/box/m")}`;
  for (const number of [5, 1, 30, 2]) {
    await sendPart(store, `${at}&partNumber=${number}`, "x".repeat(number));
  }
  const all = await store.text("GET", at, 200);
  assertEquals([pick(all, "PartNumber"), pick(all, "Size")], [["1", "2", "5", "30"], [
    "1",
    "2",
    "5",
    "30",
  ]]);
  assertEquals([pick(all, "Bucket"), pick(all, "Key"), pick(all, "MaxParts")], [["box"], ["m"], [
    "1000",
  ]]);
  assertEquals([pick(all, "StorageClass"), pick(all, "IsTruncated")], [["STANDARD"], ["false"]]);
  assertEquals([pick(all, "DisplayName").length, pick(all, "LastModified").length], [2, 4]);
  const seen: string[][] = [];
  let marker = "0";
  for (let more = true; more;) {
    const page = await store.text("GET", `${at}&max-parts=3&part-number-marker=${marker}`, 200);
    seen.push(pick(page, "PartNumber"));
    assertEquals(pick(page, "PartNumberMarker"), [marker]);
    marker = pick(page, "NextPartNumberMarker")[0]!;
    more = pick(page, "IsTruncated")[0] === "true";
  }
  assertEquals(seen, [["1", "2", "5"], ["30"]]);
  const none = await store.text("GET", `${at}&max-parts=0`, 200);
  assertEquals([pick(none, "PartNumber"), pick(none, "MaxParts")], [[], ["0"]]);
});

row("M10 uploads are listed by key and age, by the page, prefix and delimiter", async (store) => {
  const ids = new Map<string, string>();
  for (const [index, key] of ["b/2", "a", "b/1", "a", "c", "d/x"].entries()) {
    ids.set(`${key}#${index}`, await begin(store, `/box/${key}`));
  }
  const list = async (query: Record<string, string>) => {
    const text = await store.text("GET", `/box?uploads&${new URLSearchParams(query)}`, 200);
    const folded = [...text.matchAll(/<CommonPrefixes><Prefix>(.*?)<\/Prefix>/g)];
    return { text, keys: pick(text, "Key"), prefixes: folded.map((match) => match[1]) };
  };
  const all = await list({});
  assertEquals(all.keys, ["a", "a", "b/1", "b/2", "c", "d/x"]);
  assertEquals(pick(all.text, "UploadId").slice(0, 2), [ids.get("a#1"), ids.get("a#3")]);
  assertEquals([pick(all.text, "Initiated").length, pick(all.text, "MaxUploads")], [6, ["1000"]]);
  assertEquals((await list({ prefix: "b/" })).keys, ["b/1", "b/2"]);
  const folded = await list({ delimiter: "/" });
  assertEquals([folded.keys, folded.prefixes], [["a", "a", "c"], ["b/", "d/"]]);
  const encoded = await list({ "encoding-type": "url", prefix: "b/" });
  assertEquals(pick(encoded.text, "EncodingType"), ["url"]);
  const seen: string[] = [];
  let marker: Record<string, string> = {};
  for (let more = true; more;) {
    const page = await list({ "max-uploads": "1", ...marker });
    seen.push(...page.keys);
    more = pick(page.text, "IsTruncated")[0] === "true";
    marker = {
      "key-marker": pick(page.text, "NextKeyMarker")[0] ?? "",
      "upload-id-marker": pick(page.text, "NextUploadIdMarker")[0] ?? "",
    };
  }
  assertEquals(seen, all.keys);
  assertEquals((await list({ "key-marker": "b/1" })).keys, ["b/2", "c", "d/x"]);
  const pages = [await list({ delimiter: "/", "max-uploads": "3" })];
  pages.push(
    await list({
      delimiter: "/",
      "key-marker": pick(pages[0]!.text, "NextKeyMarker")[0]!,
      "upload-id-marker": pick(pages[0]!.text, "NextUploadIdMarker")[0] ?? "",
    }),
  );
  assertEquals(pages.map(({ keys, prefixes }) => [...keys, ...prefixes]), [["a", "a", "b/"], [
    "c",
    "d/",
  ]]);
});

row("M11 an object may have ten thousand parts, and no more", async (store) => {
  const at = `/box/m?uploadId=${await begin(store, "/box/m")}`;
  const etags = await sendMany(store, at, 10_000);
  const other = `/box/n?uploadId=${await begin(store, "/box/n")}&partNumber=1`;
  assertEquals(await store.code("PUT", other, { body: "x" }), "503 ServiceUnavailable");
  const body = completion(etags.map((etag, index) => [index + 1, etag]));
  const done = await store.text("POST", at, 200, { body });
  assertMatch(pick(done, "ETag")[0]!, /-10000&quot;$/);
  const whole = await store.text("GET", "/box/m", 200);
  assertEquals([whole.length, whole.slice(0, 12)], [10_000, "123456789012"]);
  assertEquals(await (await store.send("GET", "/box/m?partNumber=10000")).text(), "0");
  await sendPart(store, other, "x");
}, { min_part_bytes: 0 });

/** Sends parts of one digit over one connection, without waiting for responses; returns their tags. */
async function sendMany({ service }: Store, place: string, count: number): Promise<string[]> {
  const { hostname, port } = service.endpoint("http");
  using conn = await Deno.connect({ hostname, port });
  const requests = Array.from({ length: count }, (_, index) => {
    const close = index === count - 1 ? "Connection: close\r\n" : "";
    const head = `PUT ${place}&partNumber=${
      index + 1
    } HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n`;
    return `${head}${close}\r\n${(index + 1) % 10}`;
  });
  const [answers] = await Promise.all([
    new Response(conn.readable).text(),
    new Blob(requests).stream().pipeTo(conn.writable, { preventClose: true }),
  ]);
  return [...answers.matchAll(/^etag: (.*)\r$/gim)].map((match) => match[1]!);
}

/** Of "Hello". */
row(
  "M13 the first part that makes an upload larger than any object is refused, and says why",
  async (store) => {
    const at = `/box/m?uploadId=${await begin(store, "/box/m")}`;
    const first = await sendPart(store, `${at}&partNumber=1`, "x".repeat(60));
    await sendPart(store, `${at}&partNumber=2`, "x".repeat(40));
    // A replaced part is counted once.
    const second = await sendPart(store, `${at}&partNumber=2`, "x".repeat(30));
    const text = await store.text("PUT", `${at}&partNumber=3`, 400, { body: "x".repeat(11) });
    assertEquals(pick(text, "Code"), ["EntityTooLarge"]);
    assertStringIncludes(text, "the other parts have 90 bytes, and max_object_bytes");
    await store.text("PUT", "/box/source", 200, { body: "x".repeat(20) });
    const copy = (range: string) => ({
      headers: { "x-amz-copy-source": "box/source", "x-amz-copy-source-range": range },
    });
    const place = `${at}&partNumber=3`;
    assertEquals(await store.code("PUT", place, copy("bytes=0-10")), "400 EntityTooLarge");
    assertEquals(await store.code("PUT", place, copy("bytes=0-9")), "200");
    const body = completion([[1, first], [2, second]]);
    await store.text("POST", at, 200, { body });
    assertEquals((await store.text("GET", "/box/m", 200)).length, 90);
    const whole = await store.text("PUT", "/box/a", 400, { body: "x".repeat(101) });
    assertStringIncludes(whole, "max_object_bytes under [plugins.s3.providers.http] is 100");
  },
  { max_object_bytes: 100, min_part_bytes: 0 },
);

row("M14 in memory an object has at most 64 MiB unless it is set", async (store) => {
  const headers = { "content-length": String(64 * 1024 * 1024 + 1) };
  const body = new Uint8Array(64 * 1024 * 1024 + 1);
  assertEquals(await store.code("PUT", "/box/a", { headers, body }), "400 EntityTooLarge");
});
