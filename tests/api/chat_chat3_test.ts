import { assert, assertEquals } from "@std/assert";
import { chat } from "../../plugins/chat/mod.ts";
import type { ChatEnvelope } from "../../plugins/chat/views.ts";
import { startService, type TestService } from "../support/service.ts";

const HOOK = "/api/webhooks/1234567890123456789/tok";
const JSON_TYPE = "application/json";

async function post(
  service: TestService,
  body: BodyInit,
  { path = HOOK, method = "POST", ...headers }: Record<string, string> = {},
) {
  const response = await fetch(`${service.ingress.url}${path}`, {
    method,
    body,
    headers: typeof body === "string" ? { "content-type": JSON_TYPE, ...headers } : headers,
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text };
}

const newest = async (service: TestService): Promise<ChatEnvelope> =>
  (await service.getJson<ChatEnvelope[]>("/chat/messages?limit=1"))[0]!;

Deno.test("a post without wait gets 204, and its parts are kept verbatim", async () => {
  await using service = await startService({ plugins: [chat] });
  const embeds = '[ {"title":"caf\\u00e9", "color":1e2} ]';
  const answer = await post(service, `{"embeds":${embeds},"tts":true}`);
  assertEquals([answer.status, answer.text], [204, ""]);
  assertEquals(answer.headers.get("x-ratelimit-limit"), "5");
  assert(Number(answer.headers.get("x-ratelimit-remaining")) > 0);
  const { message, meta } = await newest(service);
  assertEquals(message.text, "café");
  const [content] = message.contents!;
  assertEquals(new TextDecoder().decode(Uint8Array.fromBase64(content!.data)), embeds);
  assertEquals([meta?.tts, meta?.derived_text], [true, true]);
  assertEquals((await post(service, '{"content":"x"}', { path: `${HOOK}?wait=true` })).status, 200);
});

Deno.test("a version in the path is accepted; any other segment is not", async () => {
  await using service = await startService({ plugins: [chat] });
  const path = (version: string) => HOOK.replace("/api", `/api/${version}`);
  assertEquals((await post(service, '{"content":"x"}', { path: path("v10") })).status, 204);
  assertEquals((await post(service, '{"content":"x"}', { path: path("x10") })).status, 404);
});

Deno.test("forms can carry fields, payload_json and files", async () => {
  await using service = await startService({ plugins: [chat] });
  const fields = new URLSearchParams({ content: "from a form", username: "Ada" });
  assertEquals((await post(service, fields)).status, 204);
  assertEquals((await newest(service)).message.author.name, "Ada");
  const form = new FormData();
  form.append("payload_json", '{"content":"two","attachments":[{"id":0,"description":"first"}]}');
  form.append("files[0]", new Blob(["abc"], { type: "text/plain" }), "a.txt");
  form.append("file", new Blob(["d"]), "b.bin");
  assertEquals((await post(service, form)).status, 204);
  const { message } = await newest(service);
  assertEquals(message.files?.map(({ filename, size, title }) => [filename, size, title]), [
    ["a.txt", 3, "first"],
    ["b.bin", 1, undefined],
  ]);
});

Deno.test("Slack's format gets ok, and a GitHub event gets 204", async () => {
  await using service = await startService({ plugins: [chat] });
  const slack = { text: "hi", username: "bot", attachments: [{ fallback: "f", title: "t" }] };
  const answer = await post(service, JSON.stringify(slack), { path: `${HOOK}/slack` });
  assertEquals([answer.status, answer.text], [200, "ok"]);
  const { message } = await newest(service);
  assertEquals([message.text, message.author.name], ["hi", "bot"]);
  assertEquals(message.contents?.[0]?.format, "chat1.attachments");
  const push = { ref: "refs/heads/main", commits: [{}], repository: { full_name: "a/b" } };
  const github = await post(service, JSON.stringify(push), {
    path: `${HOOK}/github`,
    "x-github-event": "push",
  });
  assertEquals(github.status, 204);
  const event = await newest(service);
  assertEquals(event.message.text, "[a/b] push refs/heads/main 1 commits");
  assertEquals(event.meta?.github_event, "push");
});

const refused: readonly [what: string, body: string, status: number, code: number][] = [
  ["no JSON", "{", 400, 50109],
  ["a list", "[]", 400, 50035],
  ["nothing to say", "{}", 400, 50006],
  ["white space", '{"content":"  "}', 400, 50006],
  ["11 embeds", JSON.stringify({ embeds: Array(11).fill({ title: "x" }) }), 400, 50035],
  ["embeds that are not a list", '{"embeds":{}}', 400, 50035],
  ["a list with a number", '{"embeds":[1]}', 400, 50035],
  ["a field without a value", '{"embeds":[{"fields":[{"name":"n"}]}]}', 400, 50035],
  ["a colour beyond white", '{"embeds":[{"title":"x","color":16777216}]}', 400, 50035],
  ["content beside new components", '{"content":"x","components":[],"flags":32768}', 400, 50035],
  ["an object as content", '{"content":{}}', 400, 50035],
];

for (const [what, body, status, code] of refused) {
  Deno.test(`a post with ${what} is refused with ${code}`, async () => {
    await using service = await startService({ plugins: [chat] });
    const answer = await post(service, body);
    assertEquals([answer.status, JSON.parse(answer.text).code], [status, code]);
    assertEquals(service.events.count(), 0);
    assertEquals(service.rejected.list({ provider: "chat3" }).length, 1);
  });
}

Deno.test("errors in an embed are reported as a tree", async () => {
  await using service = await startService({ plugins: [chat] });
  const answer = await post(
    service,
    '{"embeds":[{"footer":{}},{"author":{"name":"a","url":"x"}}]}',
  );
  assertEquals(JSON.parse(answer.text).errors, {
    embeds: {
      0: {
        footer: {
          text: { _errors: [{ code: "BASE_TYPE_REQUIRED", message: "This field is required" }] },
        },
      },
      1: {
        author: {
          url: { _errors: [{ code: "URL_TYPE_INVALID_URL", message: "Not a well formed URL." }] },
        },
      },
    },
  });
});

Deno.test("an invalid id, an unsupported type and a large body get the vendor's errors", async () => {
  await using service = await startService({
    plugins: [chat],
    config: { ingress: { max_body: 99 } },
  });
  const id = await post(service, '{"content":"x"}', { path: "/api/webhooks/abc/tok" });
  assertEquals(JSON.parse(id.text).errors.webhook_id._errors[0].code, "NUMBER_TYPE_COERCE");
  const type = await post(service, "x", { "content-type": "text/plain" });
  assertEquals([type.status, JSON.parse(type.text).code], [400, 50035]);
  const large = await post(service, JSON.stringify({ content: "x".repeat(200) }));
  assertEquals([large.status, JSON.parse(large.text).code], [413, 40005]);
});
