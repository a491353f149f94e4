/** Both generations of the official client of the Model Context Protocol drive every tool over both transports. */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { Client, StreamableHTTPClientTransport } from "npm:@modelcontextprotocol/client@2.4.0";
import { StdioClientTransport } from "npm:@modelcontextprotocol/client@2.4.0/stdio";
import { Client as EarlierClient } from "npm:@modelcontextprotocol/sdk@1.32.2/client/index.js";
import { StdioClientTransport as EarlierStdio } from "npm:@modelcontextprotocol/sdk@1.32.2/client/stdio.js";
import { StreamableHTTPClientTransport as EarlierHttp } from "npm:@modelcontextprotocol/sdk@1.32.2/client/streamableHttp.js";
import { mail } from "../../plugins/mail/mod.ts";
import { startService, type TestService } from "../support/service.ts";

type Json = Record<string, unknown>;

/** The common interface of the two clients. */
interface Caller {
  listTools(): Promise<{ tools: { name: string; annotations?: Json; inputSchema: Json }[] }>;
  callTool(call: { name: string; arguments?: Json }): Promise<Json>;
  listResources(): Promise<{ resources: { uri: string; title?: string }[] }>;
  listResourceTemplates(): Promise<{ resourceTemplates: { uriTemplate: string }[] }>;
  readResource(of: { uri: string }): Promise<{ contents: Json[] }>;
  close(): Promise<void>;
}

const PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const TOOLS = [
  ...["how_to_send", "wait_for_event", "list_events", "get_event", "expect_events", "extract"],
  ...["check_event", "clear_events", "add_fault", "list_faults", "clear_faults"],
];
const WHO = { name: "tests", version: "1" };

/** Command line of `standin mcp`. */
function commandFor({ api }: TestService): { command: string; args: string[] } {
  const main = new URL("../../main.ts", import.meta.url).pathname;
  const args = ["run", "--quiet", "--no-check", "--allow-net", "--allow-read", "--allow-env"];
  return { command: Deno.execPath(), args: [...args, main, "mcp", "--url", api.url] };
}

const clients: Record<string, (service: TestService) => Promise<Caller>> = {
  async "over HTTP, without a handshake"({ ui }) {
    const client = new Client(WHO, { versionNegotiation: { mode: { pin: "2026-07-28" } } });
    await client.connect(new StreamableHTTPClientTransport(new URL(`${ui.url}/mcp`)));
    return client as unknown as Caller;
  },
  async "over stdio, without a handshake"(service) {
    const client = new Client(WHO, { versionNegotiation: { mode: { pin: "2026-07-28" } } });
    await client.connect(new StdioClientTransport(commandFor(service)));
    return client as unknown as Caller;
  },
  async "over HTTP, as agreed by initialize"({ ui }) {
    const client = new EarlierClient(WHO);
    const transport = new EarlierHttp(new URL(`${ui.url}/mcp`));
    await client.connect(transport as unknown as Parameters<EarlierClient["connect"]>[0]);
    assertEquals(transport.protocolVersion, "2025-11-25");
    return client as unknown as Caller;
  },
  async "over stdio, as agreed by initialize"(service) {
    const client = new EarlierClient(WHO);
    await client.connect(new EarlierStdio(commandFor(service)));
    assertEquals(client.getServerVersion()?.name, "standin");
    return client as unknown as Caller;
  },
};

async function send(service: TestService, mail: Json): Promise<number> {
  const response = await fetch(`${service.ingress.url}/v3/mail/send`, {
    method: "POST",
    headers: { authorization: "Bearer SG.any", "content-type": "application/json" },
    body: JSON.stringify({
      personalizations: [{ to: [{ email: "ada@example.org" }] }],
      from: { email: "shop@example.com" },
      ...mail,
    }),
  });
  await response.body?.cancel();
  return response.status;
}

/** Calls a tool that must succeed; returns the parsed result. */
async function use(client: Caller, name: string, args?: Json): Promise<Json> {
  const answer = await client.callTool({
    name,
    ...(args === undefined ? {} : { arguments: args }),
  });
  const [first] = answer.content as { type: string; text?: string }[];
  assertEquals(answer.isError ?? false, false, `${name}: ${first?.text}`);
  return answer.structuredContent as Json;
}

/** Calls a tool that must fail; returns its message. */
async function refusal(client: Caller, name: string, args: Json): Promise<string> {
  const answer = await client.callTool({ name, arguments: args });
  assertEquals(answer.isError, true, name);
  return (answer.content as { text: string }[])[0]!.text;
}

for (const [how, connect] of Object.entries(clients)) {
  Deno.test({
    name: `the official client uses every tool ${how}`,
    // Its kill timer continues after the program has ended.
    sanitizeOps: !how.includes("stdio"),
    sanitizeResources: !how.includes("stdio"),
    async fn() {
      await using service = await startService({ plugins: [mail] });
      const client = await connect(service);
      try {
        await useEveryTool(client, service);
      } finally {
        await client.close();
      }
    },
  });
}

async function useEveryTool(client: Caller, service: TestService): Promise<void> {
  const { tools } = await client.listTools();
  assertEquals(tools.map(({ name }) => name), TOOLS);
  for (const { name, annotations, inputSchema } of tools) {
    assertEquals(annotations?.readOnlyHint, !/^(add|clear)_/.test(name), name);
    assertEquals(annotations?.destructiveHint, name.startsWith("clear_"), name);
    assertEquals(inputSchema.type, "object", name);
  }

  const ways = await use(client, "how_to_send");
  const [first] = ways.providers as Json[];
  assertEquals(first, {
    provider: "mail/mail1",
    stands_in_for: "Mailjet",
    url: service.ingress.url,
  });
  const sendgrid = await use(client, "how_to_send", { provider: "SendGrid" });
  assertStringIncludes(JSON.stringify(sendgrid), `${service.ingress.url}/v3/mail/send`);
  assertStringIncludes(
    await refusal(client, "how_to_send", { provider: "mail44" }),
    "did you mean",
  );

  // The wait begins before anything was sent.
  const waiting = use(client, "wait_for_event", {
    type: "mail.message",
    filters: { subject: "Code" },
    timeout: "20s",
  });
  const text = `Your code is 493817. ${"x".repeat(20_000)} The end`;
  const attachments = [
    { content: PNG, filename: "dot.png", type: "image/png", disposition: "attachment" },
    { content: btoa("a,b"), filename: "t.csv", type: "text/csv", disposition: "attachment" },
  ];
  const content = [{ type: "text/plain", value: text }];
  assertEquals(await send(service, { subject: "Code", content, attachments }), 202);
  const waited = await waiting;
  assertEquals(waited.met, true);
  const [row] = waited.events as Json[];
  const [event] = service.list();
  const id = event!.id;
  assertEquals(row?.id, id);
  assertEquals((row?.extracted as Json).codes, ["493817"]);
  const late = await use(client, "wait_for_event", { search: "nothing", timeout: 1 });
  assertEquals(late.met, false);
  assertStringIncludes(String(late.reason), "Code");

  assertEquals((await use(client, "extract", { id })).codes, ["493817"]);

  const listed = await use(client, "list_events", { plugin: "mail", limit: 1 });
  assertEquals((listed.events as Json[]).map((one) => one.id), [id]);
  assertEquals(listed.next_offset, undefined);

  const shown = await client.callTool({ name: "get_event", arguments: { id } });
  const payload = (shown.structuredContent as { payload: Json }).payload;
  assertEquals(payload.subject, "Code");
  assertMatch(String(payload.text), /\(200\d\d characters in all\)$/);
  const links = (shown.content as Json[]).filter(({ type }) => type === "resource_link");
  assertEquals(links.map(({ name }) => name), ["dot.png", "t.csv"]);
  const page = await use(client, "get_event", { id, path: "payload.text" });
  assertEquals(page.length, text.length);
  const rest = await use(client, "get_event", {
    id,
    path: "text",
    offset: page.next_offset,
  });
  assertEquals(`${page.value}${rest.value}`, text);
  const body = await use(client, "get_event", { id, path: "raw.body_text" });
  assertStringIncludes(String(body.value), '"personalizations"');
  assertStringIncludes(await refusal(client, "get_event", { id, path: "payload.sbj" }), "subject");
  const image = await client.callTool({ name: "get_event", arguments: { id, attachment: 0 } });
  assertEquals(image.content, [{ type: "image", data: PNG, mimeType: "image/png" }]);
  assertEquals((await use(client, "get_event", { id, attachment: 1 })).text, "a,b");
  assertStringIncludes(await refusal(client, "get_event", { id, attachment: 2 }), "has 2");

  const { resources } = await client.listResources();
  assertEquals(resources.map(({ uri }) => uri), [`standin://events/${id}`]);
  const { resourceTemplates } = await client.listResourceTemplates();
  assertEquals(resourceTemplates.map(({ uriTemplate }) => uriTemplate), [
    "standin://events/{id}",
    "standin://blobs/{id}",
  ]);
  const [resource] = (await client.readResource({ uri: resources[0]!.uri })).contents;
  assertEquals(JSON.parse(String(resource?.text)).id, id);
  const [picture] = (await client.readResource({ uri: String(links[0]!.uri) })).contents;
  assertEquals([picture?.mimeType, picture?.blob], ["image/png", PNG]);

  const met = await use(client, "expect_events", {
    plugin: "mail",
    match: { "payload.subject": { contains: "Code" }, "codes[0]": { regex: "^[0-9]{6}$" } },
    count: 1,
  });
  assertEquals([met.met, met.count], [true, 1]);
  const unmet = await use(client, "expect_events", {
    plugin: "mail",
    match: { subject: "Invoice" },
    timeout: 0,
  });
  assertEquals(unmet.met, false);
  assertStringIncludes(JSON.stringify(unmet.closest), id);
  assertStringIncludes(await refusal(client, "expect_events", { plugn: "mail" }), '"plugin"');

  const checks = await use(client, "check_event", { id });
  assertEquals(checks.count, (checks.checks as Json[]).length);

  const { outcomes } = await use(client, "list_faults", { outcomes_of: "mail/mail2" });
  assert((outcomes as Json[]).some((one) => one.id === "rate_limit"));
  const fault = await use(client, "add_fault", { on: "mail/mail2", outcome: ["rate_limit"] });
  assertEquals(await send(service, { subject: "Again", content }), 429);
  const [held] = (await use(client, "list_faults")).faults as Json[];
  assertEquals([held?.id, held?.hits], [fault.id, 1]);
  const wrong = await refusal(client, "add_fault", { on: "mail/mail2", outcome: "rate_limt" });
  assertStringIncludes(wrong, 'did you mean "rate_limit"');
  await use(client, "clear_faults", { id: fault.id });
  assertEquals((await use(client, "list_faults")).count, 0);
  await use(client, "clear_faults");

  const unknown = await refusal(client, "list_events", { limt: 5 });
  assertStringIncludes(unknown, 'unknown argument "limt"; did you mean "limit"?');
  assertStringIncludes(
    await refusal(client, "list_events", { plugin: "mail", filters: { subjct: "x" } }),
    'did you mean "subject"?',
  );
  assertStringIncludes(await refusal(client, "list_events", { limit: "many" }), "whole number");
  const list = { plugin: "mail", filters: { subject: ["x"] } };
  assertStringIncludes(await refusal(client, "list_events", list), 'filter "subject"');
  assertStringIncludes(await refusal(client, "get_event", {}), "without id");
  assertStringIncludes(await refusal(client, "get_event", { id: "none" }), "find event");

  assertStringIncludes(await refusal(client, "clear_events", {}), "all: true");
  await use(client, "clear_events", { plugin: "mail", filters: { subject: "Other" } });
  assertEquals(service.list().length, 1);
  await use(client, "clear_events", { all: true });
  assertEquals(service.list().length, 0);
}

/** Tests an application as a model would, with nothing but the tools. */
async function findWrongMail(client: Caller, application: () => Promise<void>): Promise<Json> {
  const { providers } = await use(client, "how_to_send", { provider: "sendgrid" });
  assertEquals((providers as Json[])[0]?.provider, "mail/mail2");
  await use(client, "clear_events", { all: true });
  await application();
  const waited = await use(client, "wait_for_event", { plugin: "mail", count: 3 });
  assertEquals(waited.met, true);
  const { events } = await use(client, "list_events", { plugin: "mail", checks: "error" });
  const [suspect] = events as { id: string }[];
  const { checks } = await use(client, "check_event", { id: suspect!.id });
  const [finding] = checks as Json[];
  const { value } = await use(client, "get_event", { id: suspect!.id, path: "payload.text" });
  return { id: suspect!.id, suspects: (events as Json[]).length, finding, value };
}

Deno.test("a script that has only the tools finds the wrong mail among three", async () => {
  await using service = await startService({ plugins: [mail] });
  const client = await clients["over HTTP, without a handshake"]!(service);
  try {
    const found = await findWrongMail(client, async () => {
      for (const name of ["Ada", "{{first_name}}", "Grace"]) {
        const content = [{ type: "text/plain", value: `Dear ${name}, your parcel is on its way.` }];
        await send(service, { subject: "Your parcel", content });
      }
    });
    assertEquals(found.suspects, 1);
    assertEquals(found.id, service.list("mail.message")[1]!.id);
    assertEquals((found.finding as Json).id, "mail.placeholder");
    assertStringIncludes(String(found.value), "Dear {{first_name}}");
  } finally {
    await client.close();
  }
});

Deno.test("the page for agents describes every tool", async () => {
  const page = await Deno.readTextFile(new URL("../../docs/agents.md", import.meta.url));
  const rows = [...page.matchAll(/^\| `(\w+)` +\|/gm)].map(([, name]) => name);
  assertEquals(rows.toSorted(), TOOLS.toSorted());
});
