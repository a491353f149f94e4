import { assert, assertEquals } from "@std/assert";
import { fc } from "../../../tests/support/fast_check.ts";
import { WireError } from "../../../core/bytes/decoder.ts";
import { AwsChunkedDecoder } from "./aws_chunked.ts";
import { checkConditions } from "./conditions.ts";
import { isBucketName } from "./names.ts";
import { compareKeys } from "./order.ts";
import { readSigner } from "./signature.ts";
import { encodeKey, readCopySource, readTarget } from "./target.ts";
import { childrenOf, childText, xmlChunks } from "./xml.ts";
import { readXml } from "./xml_reader.ts";

const encoder = new TextEncoder();

Deno.test("keys are ordered by the bytes of their UTF-8 form", () => {
  const text = fc.string({ unit: "binary", maxLength: 6 });
  fc.assert(fc.property(text, text, (a, b) => {
    const [left, right] = [encoder.encode(a).toHex(), encoder.encode(b).toHex()];
    assertEquals(Math.sign(compareKeys(a, b)), left < right ? -1 : left > right ? 1 : 0);
  }));
  assert(compareKeys("\uffff", "\u{10000}") < 0);
});

Deno.test("a target is split at its first slash and decoded once", () => {
  const cases: readonly (readonly [string, string, string])[] = [
    ["/", "", ""],
    ["/b", "b", ""],
    ["/b/", "b", ""],
    ["/b//a/../%2F", "b", "/a/..//"],
    ["/b/a+b%20c%3F", "b", "a+b c?"],
    ["/b/%252F", "b", "%2F"],
  ];
  for (const [path, bucket, key] of cases) assertEquals(readTarget(path), { bucket, key }, path);
  assertEquals(readTarget("/b/%zz"), undefined);
  assertEquals(readTarget("/b/%ff"), undefined);
});

Deno.test("any key survives a round trip through a target", () => {
  fc.assert(fc.property(fc.string({ unit: "binary", minLength: 1 }), (key) => {
    assertEquals(readTarget(`/b/${encodeURIComponent(key)}`), { bucket: "b", key });
    assertEquals(readTarget(`/b/${encodeKey(key)}`), { bucket: "b", key });
  }));
});

Deno.test("a copy source may begin with a slash and end with a version", () => {
  assertEquals(readCopySource("/b/k?versionId=1"), { bucket: "b", key: "k", version: "1" });
  assertEquals(readCopySource("b%2Fk%2Fl"), { bucket: "b", key: "k/l" });
  assertEquals(readCopySource("b/k%3Fa"), { bucket: "b", key: "k?a" });
  for (const bad of ["", "b", "b/", "/", "b/%f", "b/k?x=1", "b/k?versionId=%f"]) {
    assertEquals(readCopySource(bad), undefined, bad);
  }
});

Deno.test("names of buckets follow the vendor's rules", () => {
  for (const good of ["abc", "a.b-c", "1abc", "a".repeat(63)]) {
    assert(isBucketName(good, 255), good);
  }
  const bad = ["ab", "a_b", "Abc", "-abc", "abc-", "a..b", "a.-b", "a-.b", "192.168.1.1", "a b"];
  for (const name of [...bad, "", "a".repeat(256)]) assert(!isBucketName(name, 255), name);
});

Deno.test("conditions are evaluated in the order of RFC 9110", () => {
  const held = { etag: "e", modified: new Date("2026-01-02T03:04:05.900Z") };
  const none = { match: null, noneMatch: null, modifiedSince: null, unmodifiedSince: null };
  const at = "Fri, 02 Jan 2026 03:04:05 GMT";
  const before = "Fri, 02 Jan 2026 03:04:04 GMT";
  const check = (given: Partial<typeof none> | Record<string, string>) =>
    checkConditions({ ...none, ...given }, held);
  assertEquals(check({}), "go on");
  assertEquals(check({ match: '"x", "e"' }), "go on");
  assertEquals(check({ match: "x" }), "failed");
  assertEquals(check({ match: "*", unmodifiedSince: before }), "go on");
  assertEquals(check({ unmodifiedSince: before }), "failed");
  assertEquals(check({ unmodifiedSince: at }), "go on");
  assertEquals(check({ noneMatch: "e" }), "not modified");
  assertEquals(check({ noneMatch: '"x"', modifiedSince: at }), "go on");
  assertEquals(check({ modifiedSince: at }), "not modified");
  assertEquals(check({ modifiedSince: before }), "go on");
  assertEquals(check({ modifiedSince: "yesterday" }), "go on");
});

Deno.test("a signature names key and region, in the header or the query", () => {
  const scope = "AK/20260101/eu-west-1/s3/aws4_request";
  const v4 = `AWS4-HMAC-SHA256 Credential=${scope}, SignedHeaders=host, Signature=0`;
  const none = new URLSearchParams();
  assertEquals(readSigner(v4, none), { auth: "header", accessKey: "AK", region: "eu-west-1" });
  assertEquals(readSigner("AWS AK:sig", none), { auth: "header", accessKey: "AK" });
  assertEquals(readSigner("Bearer x", none), { auth: "header" });
  assertEquals(readSigner(null, new URLSearchParams({ "X-Amz-Credential": scope })), {
    auth: "presigned",
    accessKey: "AK",
    region: "eu-west-1",
  });
  assertEquals(readSigner(null, new URLSearchParams({ AWSAccessKeyId: "AK" })), {
    auth: "presigned",
    accessKey: "AK",
  });
  assertEquals(readSigner(null, none), { auth: "none" });
});

Deno.test("any text in a document is read as it was written", () => {
  fc.assert(fc.property(fc.string({ unit: "grapheme" }), (key) => {
    const root = readXml(
      [...xmlChunks("Delete", [["Object", () => [["Key", key]]], ["Quiet", true]])].join(""),
    );
    assertEquals(childText(childrenOf(root!, "Object")[0]!, "Key"), key);
    assertEquals(childText(root!, "Quiet"), "true");
  }));
  assertEquals(childText(readXml("<a><k>x&#13;&amp;&lt;</k></a>")!, "k"), "x\r&<");
});

Deno.test("a self-closing element ends no other element", () => {
  for (const text of ["<a/>", "<a />", "<p:a x='/'/>"]) {
    assertEquals(readXml(text), { name: "a", text: "", children: [] }, text);
  }
  const names = readXml("<a><b/><c x='1'/><d></d></a>")!.children.map(({ name }) => name);
  assertEquals(names, ["b", "c", "d"]);
  for (const text of ["<a", "<a/", "<a>/>", "<a>/<b>", "<a><b/>", "<a><b></a/>", "<a/>/>"]) {
    assertEquals(readXml(text), undefined, text);
  }
});

Deno.test("an unexpected document is refused", () => {
  const bomb = '<!DOCTYPE a [<!ENTITY b "bb"><!ENTITY c "&b;&b;">]><a>&c;</a>';
  const deep = "<a>".repeat(10_000) + "</a>".repeat(10_000);
  for (const text of ["", "text", "<a>", "<a><b></a>", "<a/><b/>", "<a/>x", bomb, deep]) {
    assertEquals(readXml(text), undefined, text.slice(0, 60));
  }
  fc.assert(fc.property(fc.string(), (text) => void readXml(text)));
});

const SIGNED = "5;chunk-signature=00ff\r\nHello\r\n6;chunk-signature=aa\r\n world\r\n" +
  "0;chunk-signature=bb\r\nx-amz-checksum-crc32:AAAAAA==\r\nx-amz-trailer-signature:0\r\n\r\n";

Deno.test("aws-chunked framing is removed whatever the chunks of the bytes", () => {
  const bytes = encoder.encode(SIGNED);
  fc.assert(fc.property(fc.array(fc.nat(bytes.length), { maxLength: 5 }), (cuts) => {
    const decoder = new AwsChunkedDecoder();
    const places = [0, ...cuts.sort((a, b) => a - b), bytes.length];
    let text = "";
    for (let i = 1; i < places.length; i++) {
      for (const part of decoder.push(bytes.slice(places[i - 1], places[i]))) {
        text += new TextDecoder().decode(part);
      }
    }
    assertEquals(text, "Hello world");
    assert(decoder.ended);
    assertEquals(decoder.trailers.get("x-amz-checksum-crc32"), "AAAAAA==");
  }));
});

Deno.test("bytes other than aws-chunked framing throw WireError or return nothing", () => {
  for (const text of ["zz\r\n", "2\r\nabc\r\n", "0\r\nno colon\r\n", "x".repeat(5000)]) {
    let failed = false;
    try {
      new AwsChunkedDecoder().push(encoder.encode(text));
    } catch (error) {
      failed = error instanceof WireError;
    }
    assert(failed, text.slice(0, 20));
  }
  fc.assert(fc.property(fc.uint8Array(), (bytes) => {
    try {
      new AwsChunkedDecoder().push(bytes);
    } catch (error) {
      assert(error instanceof WireError);
    }
  }));
  const half = new AwsChunkedDecoder();
  half.push(encoder.encode("5\r\nHel"));
  assert(!half.ended);
  const open = new AwsChunkedDecoder();
  open.push(encoder.encode("0\r\nmore"));
  assert(!open.ended);
});
