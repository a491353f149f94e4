/** Every surface refuses names of plugins, event types and providers that no event can have. */
import { assertEquals, assertRejects, assertStringIncludes, assertThrows } from "@std/assert";
import { type Service, start } from "../../mod.ts";
import * as client from "../../plugins/client.ts";
import { runToEnd } from "../cli/console.ts";
import { STANDARD_PLUGINS } from "../../plugins/standard.ts";

const MISSPELT = 'unknown type "mail.mesage"; did you mean "mail.message"? known are mail.message,';
const STOPPED = 'no event can have the type "mail.message"; plugin mail is not running here';

function startChat(): Promise<Service> {
  return start({ ports: 0, providers: ["chat1"] });
}

async function ask(
  { api }: Service,
  path: string,
  init: RequestInit = {},
): Promise<{ status: number; error: string }> {
  const response = await fetch(`${api.url}/api/v1${path}`, init);
  const text = await response.text();
  return { status: response.status, error: text.startsWith("{") ? JSON.parse(text).error : "" };
}

function post(body: unknown): RequestInit {
  return { method: "POST", body: JSON.stringify(body) };
}

for (
  const [name, path, init] of [
    ["list", "/events?type=mail.mesage"],
    ["wait", "/events/wait?type=mail.mesage&timeout=30s"],
    ["wait for none", "/events/wait?type=mail.mesage&absent=1&timeout=0"],
    ["stream", "/events/stream?type=mail.mesage"],
    ["clearing", "/events?type=mail.mesage", { method: "DELETE" }],
    ["plugin's list", "/chat/messages?type=mail.mesage"],
    ["clearing of a plugin", "/chat/messages?type=mail.mesage", { method: "DELETE" }],
    ["expectation", "/expect", post({ type: "mail.mesage" })],
    ["expectation of none", "/expect", post({ type: "mail.mesage", none: true })],
    ["order", "/expect", post({ order: [{ type: "mail.mesage" }] })],
  ] as readonly [string, string, RequestInit?][]
) {
  Deno.test(`a misspelled event type is refused over HTTP: ${name}`, async () => {
    await using standin = await startChat();
    const { status, error } = await ask(standin, path, init);
    assertEquals(status, 400, error);
    assertStringIncludes(error, MISSPELT);
    assertStringIncludes(error, "plugin mail is not running here");
  });
}

Deno.test("a misspelled event type is refused by the library", async () => {
  await using standin = await startChat();
  const type = "mail.mesage";
  const refusals = [
    await assertRejects(() => standin.waitFor(type, { timeoutMs: 30_000 }), RangeError),
    await assertRejects(() => standin.expect({ type, none: true }), RangeError),
    assertThrows(() => standin.list(type), RangeError),
    assertThrows(() => standin.clear(undefined, { type }), RangeError),
  ];
  for (const { message } of refusals) assertStringIncludes(message, MISSPELT);
});

Deno.test("a misspelled event type is refused by the client", async () => {
  await using standin = await startChat();
  const asked = client.connect(standin.api.url);
  const type = "mail.mesage";
  const refusals = [
    await assertRejects(() => asked.waitFor(type, { timeoutMs: 30_000 }), client.RequestError),
    await assertRejects(() => asked.expect({ type, none: true }), client.RequestError),
    await assertRejects(() => asked.list(type), client.RequestError),
  ];
  for (const { message } of refusals) assertStringIncludes(message, MISSPELT);
});

Deno.test("a misspelled plugin is refused on the command line", async () => {
  await using standin = await startChat();
  const said = await runToEnd(
    ["export", "-", "--plugin=chatt", "--url", standin.api.url],
    { plugins: STANDARD_PLUGINS },
  );
  assertEquals(said.code, 1);
  assertStringIncludes(said.stderr, 'unknown plugin "chatt"; did you mean "chat"?');
});

Deno.test("plugins and providers are checked like types", async () => {
  await using standin = await startChat();
  for (
    const [path, reason] of [
      ["/events?plugin=chatt", 'unknown plugin "chatt"; did you mean "chat"?'],
      ["/events?provider=chat11", 'unknown provider "chat11"; did you mean "chat1"?'],
      ["/rejected?provider=chat11", 'unknown provider "chat11"; did you mean "chat1"?'],
      ["/export?plugin=chatt", 'unknown plugin "chatt"; did you mean "chat"?'],
      ["/events/wait?plugin=mail", 'the plugin "mail"; plugin mail is not running here'],
      ["/events/wait?provider=chat2", "provider chat/chat2 is not running here"],
    ] as const
  ) {
    const { status, error } = await ask(standin, path);
    assertEquals(status, 400, error);
    assertStringIncludes(error, reason);
  }
});

Deno.test("a type of a plugin that is not running can be listed, but not waited for", async () => {
  await using standin = await startChat();
  assertEquals(standin.list("mail.message"), []);
  assertEquals((await ask(standin, "/events?type=mail.message")).status, 200);
  await standin.expect({ type: "mail.message", none: true });
  const refusals = [
    await assertRejects(() => standin.waitFor("mail.message"), RangeError),
    await assertRejects(() => standin.expect({ type: "mail.message" }), RangeError),
  ];
  for (const { message } of refusals) assertStringIncludes(message, STOPPED);
  const { status, error } = await ask(standin, "/events/wait?type=mail.message&timeout=30s");
  assertEquals([status, error], [400, `Cannot select events: ${STOPPED}`]);
});
