import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import PostalMime from "postal-mime";
import type { MailMessage } from "../../plugins/mail/model.ts";
import type { MessageView } from "../../plugins/mail/views.ts";
import { RawClient } from "../support/raw_http.ts";
import { startService, type TestService } from "../support/service.ts";
import { toy } from "../support/toy.ts";
import { mail } from "../../plugins/mail/mod.ts";

type Fields = Readonly<Record<string, unknown>>;

const ADA = { from: "Acme <hello@example.com>", to: "Ada <ada@example.com>", subject: "Welcome" };

/** Sends through mail3 and returns the event id. */
async function send(service: TestService, email: Fields): Promise<string> {
  const response = await fetch(`${service.ingress.url}/emails`, {
    method: "POST",
    body: JSON.stringify({ ...ADA, text: "Hello", ...email }),
  });
  const text = await response.text();
  assertEquals(response.status, 200, text);
  const url = response.headers.get("x-service-event-url");
  assert(url !== null);
  return url.slice(url.lastIndexOf("/") + 1);
}

async function get(service: TestService, path: string, init: RequestInit = {}) {
  const response = await fetch(`${service.api.url}/api/v1/mail${path}`, init);
  const bytes = new Uint8Array(await response.arrayBuffer());
  return { response, status: response.status, bytes, text: new TextDecoder().decode(bytes) };
}

function header(answer: { response: Response }, name: string): string | null {
  return answer.response.headers.get(name);
}

Deno.test("a message view has the message, its links and its page URL", async () => {
  await using service = await startService({ plugins: [mail] });
  const id = await send(service, {
    html: "<p>Hello</p>",
    cc: ["c@example.com"],
    headers: { "X-Order": "7" },
    tags: [{ name: "a", value: "b" }],
    attachments: [{ filename: "a.txt", content: "AP8K" }],
  });
  const view = await service.getJson<MessageView>(`/mail/messages/${id}`);
  const self = `/api/v1/mail/messages/${id}`;
  assertEquals(view.links, {
    self,
    raw: `${self}/raw`,
    html: `${self}/html`,
    text: `${self}/text`,
    attachments: [`${self}/attachments/0`],
  });
  assertEquals([view.id, view.provider, view.type], [id, "mail3", "mail.message"]);
  assertEquals(view.url, `${service.ui.url}/ui/events/${id}`);
  assertMatch(view.received_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  assertEquals(view.meta, { tags: [{ name: "a", value: "b" }] });
  const { attachments, ...message } = view.message;
  assertEquals(message, {
    from: { email: "hello@example.com", name: "Acme" },
    to: [{ email: "ada@example.com", name: "Ada" }],
    cc: [{ email: "c@example.com" }],
    subject: "Welcome",
    text: "Hello",
    html: "<p>Hello</p>",
    headers: { "X-Order": ["7"] },
  });
  const [attachment] = attachments!;
  assertEquals(
    [attachment!.size, attachment!.filename, attachment!.content_type, attachment!.inline],
    [3, "a.txt", "text/plain", false],
  );
  assertEquals(attachment!.blob.size, 3);
  for (const link of [self, ...view.links.attachments!]) {
    const response = await fetch(service.api.url + link);
    assertEquals(response.status, 200);
    await response.body?.cancel();
  }
});

Deno.test("a message without bodies or attachments has no links to them, and their routes answer 404", async () => {
  await using service = await startService({ plugins: [mail] });
  const id = await send(service, { text: undefined, template: { id: "t" } });
  const view = await service.getJson<MessageView>(`/mail/messages/${id}`);
  assertEquals(Object.keys(view.links), ["self", "raw"]);
  for (const part of ["html", "text", "attachments/0"]) {
    assertStringIncludes(
      (await service.getJson<{ error: string }>(`/mail/messages/${id}/${part}`, 404)).error,
      "Cannot find",
    );
  }
});

Deno.test("the message list filters and pages, also combined", async () => {
  await using service = await startService({ plugins: [mail] });
  const one = await send(service, { subject: "First", cc: "Carl <carl@else.example>" });
  const two = await send(service, { subject: "Second", bcc: "dora@example.com" });
  const three = await send(service, {
    subject: "second too",
    from: "Bob <bob@example.com>",
    attachments: [{ content: "", filename: "a" }],
  });
  const ids = async (query: string) =>
    (await service.getJson<MessageView[]>(`/mail/messages?${query}`)).map(({ id }) => id);
  const cases: readonly (readonly [string, readonly string[]])[] = [
    ["", [three, two, one]],
    ["from=BOB", [three]],
    ["from=hello@", [two, one]],
    ["to=ada", [three, two, one]],
    ["to=carl", [one]],
    ["to=ELSE.example", [one]],
    ["to=Carl%20%3Ccarl", [one]],
    ["to=dora", [two]],
    ["to=bob", []],
    ["subject=SECOND", [three, two]],
    ["subject=second&from=acme", [two]],
    ["has_attachments=true", [three]],
    ["has_attachments=T", [three]],
    ["has_attachments=0", [two, one]],
    ["has_attachments=", [three, two, one]],
    ["has_attachments=false&subject=second&to=dora&from=acme", [two]],
    ["limit=2", [three, two]],
    ["limit=1&offset=1", [two]],
    ["limit=1&offset=1&from=acme", [one]],
    ["limit=0", [three, two, one]],
    ["offset=9", []],
    ["provider=mail3&type=mail.message", [three, two, one]],
    ["provider=mail1", []],
    ["provider=api", []],
    ["search=SECOND%20too", [three]],
    ["since=1h", [three, two, one]],
    ["since=2999-01-01T00:00:00Z", []],
    ["subject=", [three, two, one]],
  ];
  for (const [query, expected] of cases) assertEquals(await ids(query), expected, query);
  await service.getJson("/mail/messages?type=sms.message", 400);
});

Deno.test("the message list can omit bodies and headers", async () => {
  await using service = await startService({ plugins: [mail] });
  await send(service, { subject: "First", html: "<p>x</p>", headers: { "X-A": "1" } });
  const [view] = await service.getJson<MessageView[]>("/mail/messages?include_body=0");
  const { subject, text, html, headers } = view!.message;
  assertEquals([subject, text, html, headers], ["First", undefined, undefined, undefined]);
  assertEquals(view!.links.html, `/api/v1/mail/messages/${view!.id}/html`);
});

Deno.test("the size of a message is its size as received, in lists of mails and of events", async () => {
  await using service = await startService({ plugins: [mail] });
  const id = await send(service, { subject: "Sized", text: "x".repeat(1000) });
  const { bytes } = await get(service, `/messages/${id}/raw`);
  const [view] = await service.getJson<MessageView[]>("/mail/messages?include_body=0");
  const [event] = await service.getJson<{ raw: { size: number } }[]>("/events");
  assertEquals([view?.size, event?.raw.size], [bytes.length, bytes.length]);
});

Deno.test("invalid parameters get 400 with an error that says what is valid", async () => {
  await using service = await startService({ plugins: [mail] });
  const id = await send(service, { html: "x", attachments: [{ content: "AA==" }] });
  for (
    const path of [
      "/messages?since=yesterday",
      "/messages?limit=-1",
      "/messages?offset=x",
      "/messages?has_attachments=maybe",
      `/messages/${id}/html?cid=2`,
      `/messages/${id}/html?images=si`,
      `/messages/${id}/raw?download=x`,
      `/messages/${id}/raw?format=mbox`,
      `/messages/${id}/attachments/0?inline=x`,
      `/messages/${id}/attachments/0?inline=1&download=1`,
    ]
  ) {
    const answer = await get(service, path);
    assertEquals(answer.status, 400, path);
    assertMatch(JSON.parse(answer.text).error, /^Cannot .*(expected|set one)/, path);
  }
});

Deno.test("unknown ids and ids of another plugin's event get 404 on every route", async () => {
  await using service = await startService({ plugins: [mail, toy] });
  const foreign = service.events.add("toy", "post", {
    type: "toy.message",
    summary: "x",
    payload: {},
    raw: { transport: "tcp", text: true, body: new Uint8Array() },
  });
  for (const id of [foreign.id, "0".repeat(24), "nope", "%2e%2e", "a%2Fb"]) {
    for (const part of ["", "/html", "/text", "/raw", "/raw?format=eml", "/attachments/0"]) {
      const answer = await get(service, `/messages/${id}${part}`);
      assertEquals(answer.status, 404, `${id}${part}`);
      assertStringIncludes(JSON.parse(answer.text).error, "Cannot find");
    }
    assertEquals((await get(service, `/messages/${id}`, { method: "DELETE" })).status, 404);
  }
  assertEquals(service.events.count("toy"), 1);
});

Deno.test("DELETE removes one message or all, of this plugin only; attachment blobs survive", async () => {
  await using service = await startService({ plugins: [mail, toy] });
  service.events.add("toy", "post", {
    type: "toy.message",
    summary: "x",
    payload: {},
    raw: { transport: "tcp", text: true, body: new Uint8Array() },
  });
  const one = await send(service, { attachments: [{ content: "AP8K", filename: "a" }] });
  const two = await send(service, {});
  const { message } = await service.getJson<MessageView>(`/mail/messages/${one}`);
  const removed = await get(service, `/messages/${one}`, { method: "DELETE" });
  assertEquals([removed.status, removed.text], [204, ""]);
  await service.getJson(`/mail/messages/${one}`, 404);
  await service.getJson(`/mail/messages/${two}`);
  assertEquals((await get(service, "/messages", { method: "DELETE" })).status, 204);
  assertEquals(await service.getJson("/mail/messages"), []);
  assertEquals(service.events.count("toy"), 1);
  const blob = await fetch(`${service.api.url}/api/v1/blobs/${message.attachments![0]!.blob.id}`);
  assertEquals(new Uint8Array(await blob.arrayBuffer()), new Uint8Array([0, 255, 10]));
});

Deno.test("text and html are served as sent, under a policy that lets nothing run or load", async () => {
  await using service = await startService({ plugins: [mail] });
  const html = '<script>alert(1)</script><img src="cid:x"><img src="http://x.example/a">Grüße';
  const id = await send(service, { html, text: "Grüße <b>" });
  const shown = await get(service, `/messages/${id}/html`);
  assertEquals([shown.status, shown.text], [200, html]);
  assertEquals(header(shown, "content-type"), "text/html; charset=utf-8");
  assertEquals(header(shown, "x-content-type-options"), "nosniff");
  assertEquals(header(shown, "referrer-policy"), "no-referrer");
  assertEquals(
    header(shown, "content-security-policy"),
    "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; " +
      "base-uri 'none'; form-action 'none'",
  );
  const text = await get(service, `/messages/${id}/text`);
  assertEquals([text.status, text.text], [200, "Grüße <b>"]);
  assertEquals(header(text, "content-type"), "text/plain; charset=utf-8");
  assertEquals(header(text, "x-content-type-options"), "nosniff");
  assertEquals(header(text, "content-security-policy"), "sandbox; default-src 'none'");
});

Deno.test("html shows inline images with cid=1 and remote images with images=1", async () => {
  await using service = await startService({ plugins: [mail] });
  const id = await send(service, {
    html: '<img src="cid:logo@x"><img src="cid:none">',
    attachments: [
      { content: "AA==", filename: "a.txt" },
      { content: "AP8K", filename: "l.png", content_id: "<logo@x>" },
    ],
  });
  const policy = (answer: { response: Response }) =>
    /img-src ([^;]*)/.exec(header(answer, "content-security-policy") ?? "")?.[1];
  const carried = await get(service, `/messages/${id}/html?cid=1`);
  assertEquals(carried.text, '<img src="data:image/png;base64,AP8K"><img src="cid:none">');
  assertEquals(policy(carried), "data:");
  const picture = await get(service, `/messages/${id}/attachments/1?inline=1`);
  assertEquals(picture.bytes, new Uint8Array([0, 255, 10]));
  assertEquals(header(picture, "content-type"), "image/png");
  assertEquals(header(picture, "content-disposition"), 'inline; filename="l.png"');
  const both = await get(service, `/messages/${id}/html?cid=1&images=1`);
  assertEquals(policy(both), "http: https: data:");
  assertEquals(
    policy(await get(service, `/messages/${id}/html?images=true&cid=f`)),
    "http: https: data:",
  );
});

Deno.test("html is served unchanged to programs, and shown in browsers without remote references", async () => {
  await using service = await startService({ plugins: [mail] });
  const html = `<link rel=preconnect href=//evil><a href="https://a.example/" ping=//evil>x</a>`;
  const id = await send(service, { html });
  const shown = async (query: string, dest?: string) => {
    const headers = {
      host: "localhost",
      ...(dest === undefined ? {} : { "sec-fetch-dest": dest }),
    };
    using client = await RawClient.connect(service.api.port);
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    const path = `/api/v1/mail/messages/${id}/html${query}`;
    await client.send(`GET ${path} HTTP/1.1\r\n${lines.join("")}\r\n`);
    return (await client.answer()).body;
  };
  const inert = `<a title="https://a.example/" href="#">x</a>`;
  assertEquals(await shown(""), html);
  assertEquals(await shown("", "empty"), html);
  assertEquals(await shown("?cid=1"), inert);
  assertEquals(await shown("?images=1"), inert);
  assertEquals(await shown("", "iframe"), inert);
  assertEquals(await shown("", "document"), `<a href="https://a.example/">x</a>`);
  assertEquals((await get(service, `/messages/${id}`)).text.includes("preconnect"), true);
});

Deno.test("raw is the request as received; download only changes how it is presented", async () => {
  await using service = await startService({ plugins: [mail] });
  const body = ` ${JSON.stringify({ ...ADA, text: "Grüße" })}\n`;
  const sent = await fetch(`${service.ingress.url}/emails`, { method: "POST", body });
  await sent.body?.cancel();
  const [view] = await service.getJson<MessageView[]>("/mail/messages");
  const { id } = view!;
  const raw = await get(service, `/messages/${id}/raw`);
  assertEquals(raw.text, body);
  assertEquals(header(raw, "content-type"), "text/plain; charset=utf-8");
  assertEquals(header(raw, "content-disposition"), "inline");
  assertEquals(header(raw, "content-security-policy"), "sandbox; default-src 'none'");
  const download = await get(service, `/messages/${id}/raw?download=1`);
  assertEquals(download.text, body);
  assertEquals(header(download, "content-type"), "message/rfc822");
  assertEquals(header(download, "content-disposition"), `attachment; filename="${id}.eml"`);
});

Deno.test("raw?format=eml writes an Internet message, the same each time, in ranges too", async () => {
  await using service = await startService({ plugins: [mail] });
  const id = await send(service, {
    subject: "Grüße",
    bcc: "b@example.com",
    html: '<img src="cid:logo">',
    attachments: [{ content: "AP8K", filename: "ü.png", content_id: "logo" }],
  });
  const eml = await get(service, `/messages/${id}/raw?format=eml&download=1`);
  assertEquals(header(eml, "content-type"), "message/rfc822");
  assertEquals(header(eml, "content-disposition"), `attachment; filename="${id}.eml"`);
  const parsed = await PostalMime.parse(eml.bytes);
  assertEquals([parsed.subject, parsed.text?.trim()], ["Grüße", "Hello"]);
  assertEquals(parsed.bcc?.[0]?.address, "b@example.com");
  assertEquals(parsed.attachments[0]?.filename, "ü.png");
  assertEquals(
    new Uint8Array(parsed.attachments[0]!.content as ArrayBuffer),
    new Uint8Array([0, 255, 10]),
  );
  const part = await get(service, `/messages/${id}/raw?format=eml`, {
    headers: { range: "bytes=10-19" },
  });
  assertEquals([part.status, part.bytes], [206, eml.bytes.slice(10, 20)]);
});

Deno.test("raw?format=eml of an SMTP mail is its bytes unchanged", async () => {
  await using service = await startService({ plugins: [mail] });
  const body = new TextEncoder().encode("Subject: x\n\nbare line feeds \xff\r\n");
  const payload: MailMessage = { from: { email: "a@example.com" }, subject: "x" };
  const { id } = service.events.add("mail", "smtp", {
    type: "mail.message",
    summary: "x",
    payload,
    raw: { transport: "smtp", text: false, body },
  });
  for (const query of ["", "?format=eml", "?format=eml&download=1"]) {
    assertEquals((await get(service, `/messages/${id}/raw${query}`)).bytes, body);
  }
});

Deno.test("raw?format=eml answers 404 when the bytes of an attachment were deleted", async () => {
  await using service = await startService({ plugins: [mail] });
  const payload: MailMessage = {
    from: { email: "a@example.com" },
    attachments: [{ blob: { id: "gone", size: 1 }, size: 1, inline: false, filename: "a.txt" }],
  };
  const { id } = service.events.add("mail", "mail1", {
    type: "mail.message",
    summary: "x",
    payload,
    raw: { transport: "http", text: true, body: new Uint8Array() },
  });
  const { error } = await service.getJson<{ error: string }>(
    `/mail/messages/${id}/raw?format=eml`,
    404,
  );
  assertStringIncludes(error, '"a.txt"');
  await service.getJson(`/mail/messages/${id}/attachments/0`, 404);
});

Deno.test("attachments are served in ranges, with validators and without a body for HEAD", async () => {
  await using service = await startService({ plugins: [mail] });
  const id = await send(service, {
    attachments: [{ content: btoa("0123456789"), filename: "a.txt", content_type: "text/x-a" }],
  });
  const path = `/messages/${id}/attachments/0`;
  const whole = await get(service, path);
  assertEquals([whole.status, whole.text], [200, "0123456789"]);
  assertEquals(header(whole, "content-type"), "text/x-a");
  assertEquals(header(whole, "content-disposition"), 'attachment; filename="a.txt"');
  assertEquals(header(whole, "accept-ranges"), "bytes");
  assertEquals(header(whole, "content-length"), "10");
  assertEquals(header(whole, "x-content-type-options"), "nosniff");
  assertEquals(header(whole, "content-security-policy"), "sandbox; default-src 'none'");
  const range = async (value: string) => {
    const answer = await get(service, path, { headers: { range: value } });
    return [answer.status, answer.text, header(answer, "content-range")];
  };
  assertEquals(await range("bytes=2-4"), [206, "234", "bytes 2-4/10"]);
  assertEquals(await range("bytes=-3"), [206, "789", "bytes 7-9/10"]);
  assertEquals(await range("bytes=8-"), [206, "89", "bytes 8-9/10"]);
  assertEquals(await range("bytes=0-0,5-6"), [200, "0123456789", null]);
  const beyond = await get(service, path, { headers: { range: "bytes=10-" } });
  assertEquals([beyond.status, header(beyond, "content-range")], [416, "bytes */10"]);
  assertStringIncludes(JSON.parse(beyond.text).error, "Cannot serve range");
  const head = await get(service, path, { method: "HEAD" });
  assertEquals([head.status, head.text, header(head, "content-length")], [200, "", "10"]);
  const etag = header(whole, "etag");
  assert(etag !== null);
  const again = await get(service, path, { headers: { "if-none-match": etag } });
  assertEquals([again.status, again.text], [304, ""]);
  for (const part of ["", "/raw", "/text"]) {
    const answer = await get(service, `/messages/${id}${part}`, { method: "HEAD" });
    assertEquals([answer.status, answer.text], [200, ""], part);
  }
});

Deno.test("inline and download choose the disposition; the recorded one is the default", async () => {
  await using service = await startService({ plugins: [mail] });
  const id = await send(service, {
    attachments: [{ content: "AA==" }, { content: "AA==", content_id: "c" }],
  });
  const disposition = async (rest: string) =>
    header(await get(service, `/messages/${id}/attachments/${rest}`), "content-disposition");
  assertEquals(await disposition("0"), "attachment");
  assertEquals(await disposition("0?inline=1"), "inline");
  assertEquals(await disposition("0?inline=0"), "attachment");
  assertEquals(await disposition("1"), "inline");
  assertEquals(await disposition("1?download=true"), "attachment");
  for (const index of ["2", "-1", "x", "1e0", "99999999999", "0/x"]) {
    assertEquals((await get(service, `/messages/${id}/attachments/${index}`)).status, 404, index);
  }
});
