import { assert, assertEquals } from "@std/assert";
import { formFields } from "../../../core/codec/form.ts";
import { attempt } from "../../../core/result.ts";
import { fc } from "../../../tests/support/fast_check.ts";
import { fuzzed } from "../../../tests/support/fuzz.ts";
import { toCopies } from "./rendering.ts";
import { readForm, readMime, readSend } from "./request.ts";

const MAIL = { from: "a@example.com", to: "b@example.com", subject: "s", text: "t" };

function formOf(pairs: readonly (readonly [string, string])[]) {
  return { fields: formFields(pairs), files: [] };
}

function refusalOf(change: Record<string, string>): string {
  const result = readSend(formOf(Object.entries({ ...MAIL, ...change })));
  return result.ok ? "taken" : `${result.refusal.status} ${result.refusal.message}`;
}

Deno.test("readSend() refuses in the vendor's words", () => {
  const bad = "parameter is not a valid address. please check documentation";
  assertEquals(refusalOf({ from: "" }), "400 from parameter is missing");
  assertEquals(refusalOf({ from: "x" }), `400 from ${bad}`);
  assertEquals(refusalOf({ to: "" }), "400 to parameter is missing");
  assertEquals(refusalOf({ cc: "x@localhost" }), `400 cc ${bad}`);
  assertEquals(
    refusalOf({ text: "" }),
    "400 Need at least one of 'text', 'html', 'amp-html' or 'template' parameters specified",
  );
  assertEquals(refusalOf({ text: "", template: "x" }), "taken");
  assertEquals(refusalOf({ text: "", "amp-html": "x" }), "taken");
  assertEquals(
    refusalOf({ "recipient-variables": "[]" }),
    "400 'recipient-variables' parameter is not a valid JSON",
  );
  assertEquals(
    refusalOf({ "recipient-variables": '{"b@example.com":1}' }),
    "400 'recipient-variables' parameter is not a valid JSON",
  );
  assertEquals(
    refusalOf({ template: "x", "t:variables": "1" }),
    "400 't:variables' parameter is not a valid JSON",
  );
  assertEquals(
    refusalOf({ to: Array.from({ length: 1001 }, (_, n) => `b${n}@example.com`).join() }),
    "400 to parameter can have at most 1000 recipients",
  );
  assertEquals(
    refusalOf({ template: "x", html: "<b>t</b>" }),
    "400 Only one parameters 'html' or 'template' is allowed",
  );
});

Deno.test("options take 16 KB together, whatever the prefix", () => {
  const parts = (last: number) => ({
    "o:tag": "x".repeat(4096),
    "h:X-A": "x".repeat(4096),
    "v:a": "x".repeat(4096),
    template: "x",
    "t:variables": `{"a":"${"x".repeat(last - 8)}"}`,
  });
  assertEquals(refusalOf(parts(4096)), "taken");
  const words =
    "400 Send options (parameters starting with o:, h:, or v:) are limited to 16KB total";
  assertEquals(refusalOf(parts(4097)), words);
  const pairs = [["to", "b@example.com"], ["message", "x"], ["h:X-A", "x".repeat(16_385)]] as const;
  const mime = readMime(formOf(pairs));
  assertEquals(mime.ok ? "taken" : `400 ${mime.refusal.message}`, words);
});

Deno.test("a time of delivery is a date of RFC 2822, in all forms that the vendor reads", () => {
  const refused = "400 'o:deliverytime' parameter is not a valid RFC-2822 date";
  for (
    const [text, expected] of [
      ["Fri, 14 Oct 2050 23:10:10 -0000", "taken"],
      ["Fri, 14 Oct 2050 23:10:10 GMT", "taken"],
      ["Fri, 14 Oct 2050 23:10:10 CEST", "taken"],
      ["Fri, 14 Oct 2050 23:10:10 +0200 (CEST)", "taken"],
      ["14 October 2050 23:10 +0200", "taken"],
      ["Oct 4 2050 23:10:10 GMT", "taken"],
      // What `toISOString()` and `String(date)` write in JavaScript, and epochs.
      ["2050-10-14T23:10:10.000Z", refused],
      ["Fri Oct 14 2050 23:10:10 GMT+0200 (Central European Summer Time)", refused],
      ["2549574610", refused],
      ["Fri, 14 Oct 2050 23:10:10", refused],
      ["Fri, 14 Okt 2050 23:10:10 GMT", refused],
    ] as const
  ) {
    assertEquals([text, refusalOf({ "o:deliverytime": text })], [text, expected]);
  }
});

Deno.test("an address given twice counts once", () => {
  const to = Array(1001).fill("Ada <b@example.com>").concat("B@example.com", "c@example.com");
  const read = readSend(formOf(Object.entries({ ...MAIL, to: to.join(), cc: "d@e.fr,D@e.fr" })));
  assert(read.ok);
  assertEquals([read.value.draft.to, read.value.draft.cc], [
    [{ email: "b@example.com", name: "Ada" }, { email: "c@example.com" }],
    [{ email: "d@e.fr" }],
  ]);
});

Deno.test("readForm() reads both encodings, and names that PHP numbers", async () => {
  const form = new FormData();
  form.append("to[0]", "b@example.com");
  form.append("to[1]", "c@example.com");
  form.append("attachment[0]", new File(["hello"], "a.txt", { type: "text/plain" }));
  const request = new Request("http://localhost/", { method: "POST", body: form });
  const body = new Uint8Array(await request.clone().arrayBuffer());
  const read = await readForm({ body, headers: request.headers });
  assert(read.ok);
  assertEquals(read.value.fields.all("to"), ["b@example.com", "c@example.com"]);
  assertEquals(read.value.files.map(({ name, filename }) => [name, filename]), [
    ["attachment", "a.txt"],
  ]);
  const headers = new Headers({ "content-type": "application/x-www-form-urlencoded" });
  const plain = await readForm({ body: new TextEncoder().encode("to=a%40b.cc&to=x"), headers });
  assert(plain.ok);
  assertEquals(plain.value.fields.all("to"), ["a@b.cc", "x"]);
  const broken = new Headers({ "content-type": "multipart/form-data; boundary=x" });
  const refused = await readForm({ body: new TextEncoder().encode("--y\r\n"), headers: broken });
  assertEquals(refused.ok, false);
});

Deno.test("a batch that would be too large is refused before it is made", () => {
  const to = Array.from({ length: 1000 }, (_, i) => `r${i}@example.com`).join();
  const text = "x".repeat(200_000);
  const request = readSend(
    formOf(Object.entries({ ...MAIL, to, text, "recipient-variables": "{}" })),
  );
  assert(request.ok);
  const copies = attempt(() => toCopies(request.value, undefined));
  assertEquals(copies.ok ? 0 : (copies.refusal as { status: number }).status, 413);
});

Deno.test("readSend() and readMime() accept or refuse any form", () => {
  const name = fc.constantFrom(
    "from",
    "to",
    "h:X",
    "v:a",
    "o:tag",
    "template",
    "t:variables",
    "message",
    "recipient-variables",
    "o:deliverytime",
    "text",
  );
  const value = fc.oneof(
    fc.string(),
    fc.constantFrom("a@example.com", "{}", '{"a@example.com":{}}', "%recipient.a%", "<", "yes"),
  );
  fc.assert(
    fc.property(fc.array(fc.tuple(name, value)), (pairs) => {
      const request = readSend(formOf(pairs));
      if (request.ok) attempt(() => toCopies(request.value, undefined));
      readMime(formOf(pairs));
    }),
    fuzzed(300),
  );
});
