import { assert, assertEquals, assertMatch } from "@std/assert";
import { fc } from "../support/fast_check.ts";
import { mail } from "../../plugins/mail/mod.ts";
import type { MessageView } from "../../plugins/mail/views.ts";
import { fuzzed } from "../support/fuzz.ts";
import { startService, type TestService } from "../support/service.ts";

const EMAIL = { from: "a@example.com", to: "b@example.com", subject: "s", text: "t" };

/** Sends through mail3 and returns the event id. */
async function send(service: TestService, email: Readonly<Record<string, unknown>>) {
  const response = await fetch(`${service.ingress.url}/emails`, {
    method: "POST",
    body: JSON.stringify({ ...EMAIL, ...email }),
  });
  const text = await response.text();
  assertEquals(response.status, 200, text);
  const url = response.headers.get("x-service-event-url");
  assert(url !== null);
  return url.slice(url.lastIndexOf("/") + 1);
}

async function get(service: TestService, path: string) {
  const response = await fetch(`${service.api.url}/api/v1/mail${path}`);
  return { response, status: response.status, text: await response.text() };
}

function header(answer: { response: Response }, name: string): string | null {
  return answer.response.headers.get(name);
}

Deno.test("hostile file names and types cannot break out of the answer's headers", async () => {
  await using service = await startService({ plugins: [mail] });
  const names = [
    'a"; filename="b.exe',
    "a\r\nX-Evil: 1",
    "../../etc/passwd",
    "C:\\x\\y.txt",
    "grüße \u{1f600}.txt",
    "a\u202Etxt.exe",
    "\ud800",
    "%41'*.txt",
    "\0",
    "x".repeat(5000),
  ];
  const id = await send(service, {
    attachments: names.map((filename) => ({
      filename,
      content: "AA==",
      content_type: "text/html\r\nX-Evil: 2",
    })),
  });
  const seen: string[] = [];
  for (const index of names.keys()) {
    const answer = await get(service, `/messages/${id}/attachments/${index}`);
    assertEquals(answer.status, 200, names[index]);
    assertEquals(header(answer, "x-evil"), null);
    assertEquals(header(answer, "content-type"), "application/octet-stream");
    const disposition = header(answer, "content-disposition")!;
    assertMatch(
      disposition,
      /^attachment; filename="[^"\\/]*"(; filename\*=UTF-8''[\w!#$&+.^`|~%-]+)?$/,
    );
    seen.push(disposition);
  }
  assertEquals(
    seen[4],
    `attachment; filename="gr__e __.txt"; filename*=UTF-8''gr%C3%BC%C3%9Fe%20%F0%9F%98%80.txt`,
  );
});

Deno.test("hostile header names and subjects stay data", async () => {
  await using service = await startService({ plugins: [mail] });
  const id = await send(service, {
    subject: "a\r\nX-Evil: 1",
    headers: { "__proto__x": "1", constructor: "2", "X-A\r\nX-Evil": "3" },
  });
  const { message } = await service.getJson<MessageView>(`/mail/messages/${id}`);
  assertEquals(message.subject, "a\r\nX-Evil: 1");
  assertEquals(message.headers, {
    "__proto__x": ["1"],
    constructor: ["2"],
    "X-A\r\nX-Evil": ["3"],
  });
  const eml = await get(service, `/messages/${id}/raw?format=eml`);
  assert(!/^X-Evil/m.test(eml.text), eml.text);
});

Deno.test("every link of a message is served safely, whatever text its sender puts where", async () => {
  await using service = await startService({ plugins: [mail] });
  const text = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.string({ unit: fc.constantFrom(..."ab \r\n\0\"<>:;=@,\\/&'%-é\ud800\u2028") }),
    fc.constantFrom("__proto__", "</style><script>alert(1)</script>", "cid:", "url(cid:x)", "\x7f"),
  );
  const name = text.map((value) => value.replaceAll(">", "").trim());
  const email = fc.record({
    from: name.map((value) => `${value} <a@example.com>`),
    subject: text.map((value) => `s${value}`),
    html: text,
    headers: fc.dictionary(text, text),
    attachments: fc.array(
      fc.record({
        filename: text,
        content_type: text,
        content_id: text,
        content: fc.constant("AP8K"),
      }),
      { maxLength: 3 },
    ),
  });
  await fc.assert(
    fc.asyncProperty(email, async (fields) => {
      const id = await send(service, fields);
      const { message, links } = await service.getJson<MessageView>(`/mail/messages/${id}`);
      assertEquals(message.subject, fields.subject);
      assertEquals(message.html ?? "", fields.html);
      assertEquals(message.attachments?.length ?? 0, fields.attachments.length);
      const queries = [links.raw, `${links.raw}?format=eml`, `${links.raw}?download=1`];
      if (links.html) queries.push(links.html, `${links.html}?cid=1&images=1`);
      for (const link of [...queries, links.text!, ...links.attachments ?? []]) {
        const answer = await get(service, link.slice("/api/v1/mail".length));
        assertEquals(answer.status, 200, `${link}: ${answer.text}`);
        assertEquals(header(answer, "x-content-type-options"), "nosniff", link);
        assertMatch(
          header(answer, "content-security-policy") ?? "",
          /^sandbox; default-src 'none'(;|$)/,
          link,
        );
      }
    }),
    fuzzed(40),
  );
  assertEquals(service.log, []);
});
