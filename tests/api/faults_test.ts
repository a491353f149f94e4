/** Faults on demand: routes, configuration file, library and client, with one provider of the ingress. */
import {
  assert,
  assertEquals,
  assertNotEquals,
  assertRejects,
  assertStringIncludes,
  assertThrows,
} from "@std/assert";
import { addFromFile, openFaults } from "../../core/app/faults.ts";
import { ConfigError } from "../../core/errors.ts";
import { faultPlaces, outcomesOf } from "../../core/faults/places.ts";
import { readRule } from "../../core/faults/rule.ts";
import { resolveSettings } from "../../core/options/resolve.ts";
import { connect, RequestError } from "../../plugins/client.ts";
import { mail } from "../../plugins/mail/mod.ts";
import { STANDARD_PLUGINS } from "../../plugins/standard.ts";
import { startService, type TestService } from "../support/service.ts";

const start = (config = {}): Promise<TestService> => startService({ plugins: [mail], config });

/** Sends through mail2; resolves with the status. */
async function send(service: TestService, to = "ada@example.org"): Promise<Response> {
  return await fetch(`${service.ingress.url}/v3/mail/send`, {
    method: "POST",
    headers: { authorization: "Bearer SG.any", "content-type": "application/json" },
    body: JSON.stringify({
      personalizations: [{ to: [{ email: to }] }],
      from: { email: "shop@example.com" },
      subject: "Hello",
      content: [{ type: "text/plain", value: "Hello" }],
    }),
  });
}

async function statusOf(service: TestService, to?: string): Promise<number> {
  const response = await send(service, to);
  await response.body?.cancel();
  return response.status;
}

async function post(service: TestService, body: unknown): Promise<{ status: number; body: Json }> {
  const response = await fetch(`${service.api.url}/api/v1/faults`, {
    method: "POST",
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
  return { status: response.status, body: await response.json() };
}
type Json = Record<string, unknown>;

async function remove(service: TestService, path: string): Promise<number> {
  const response = await fetch(`${service.api.url}/api/v1${path}`, { method: "DELETE" });
  await response.body?.cancel();
  return response.status;
}

Deno.test("a rule added over the API makes the provider answer as its vendor does", async () => {
  await using service = await start();
  const match = { "to[*].email": "ada@example.org" };
  const rule = {
    on: "mail/mail2",
    outcome: ["rate_limit"],
    match,
    name: "busy",
    with: { retry_after: 2 },
  };
  const { status, body } = await post(service, rule);
  assertEquals(status, 201);
  const held = { ...rule, id: "f1", hits: 0, matches: 0, from: "api", spent: false };
  assertEquals(body, held);
  assertEquals(await statusOf(service, "bob@example.org"), 202);
  const refused = await send(service);
  assertEquals(refused.status, 429);
  assertEquals(refused.headers.get("x-ratelimit-remaining"), "0");
  const words = { field: null, message: "too many requests" };
  assertEquals(await refused.json(), { errors: [words] });
  assertEquals(await statusOf(service), 202);
  const [record] = service.rejected.list();
  assertEquals([record?.reason, record?.status, record?.provider], [
    'fault "busy": rate_limit',
    429,
    "mail2",
  ]);
  assertStringIncludes(new TextDecoder().decode(record?.raw), "ada@example.org");
  assertEquals(service.events.count("mail"), 2);
  const after = { ...held, hits: 1, matches: 1, spent: true };
  assertEquals(await service.getJson("/faults"), { faults: [after], count: 1 });
  assertEquals(await service.getJson("/faults/f1"), after);
  assertEquals(await remove(service, "/faults/f1"), 204);
  assertEquals(await remove(service, "/faults/f1"), 404);
  await service.getJson("/faults/f1", 404);
});

Deno.test("several rules are added all or none, and cleared together", async () => {
  await using service = await start();
  const good = { on: "mail/mail2", outcome: "unavailable" };
  const added = await post(service, { faults: [good, good] });
  assertEquals([added.status, added.body.count], [201, 2]);
  const refused = await post(service, { faults: [good, { ...good, outcome: "unavailabel" }] });
  assertEquals(refused.status, 400);
  assertStringIncludes(
    String(refused.body.error),
    'Cannot use outcome of faults[1]: unknown outcome of mail/mail2 "unavailabel"; did you mean "unavailable"?',
  );
  assertEquals(await service.getJson<Json>("/faults").then(({ count }) => count), 2);
  assertEquals(await remove(service, "/faults"), 204);
  assertEquals(await service.getJson("/faults"), { faults: [], count: 0 });
  assertEquals(await statusOf(service), 202);
});

Deno.test("an invalid rule is refused with the reason", async () => {
  await using service = await start();
  for (
    const [body, words] of [
      ["{", "Cannot read the fault"],
      [{ faults: 1 }, "Cannot use faults: expected a list of rules"],
      [[], "Cannot use the fault: expected an object"],
      [{ on: "mail/mail2", outcome: "hang", match: { a: { regex: "(" } } }, "missing closing )"],
      [{ on: "mail/mail2", outcome: "drop" }, 'unknown outcome of mail/mail2 "drop"'],
    ] as const
  ) {
    const answer = await post(service, body);
    assertEquals(answer.status, 400, words);
    assertStringIncludes(String(answer.body.error), words);
  }
  const large = await post(service, " ".repeat(1_048_577));
  assertEquals(large.status, 413);
});

Deno.test("the outcomes of every provider are listed with their phases, parameters and sources", async () => {
  await using service = await start();
  const { outcomes } = await service.getJson<{ outcomes: Json[] }>("/faults/outcomes");
  const found = outcomes.find(({ on, id }) => on === "mail/mail2" && id === "rate_limit");
  assertEquals(found?.phases, ["capture"]);
  assertEquals(found?.params, {
    retry_after: {
      about: "Seconds until the limit is lifted",
      schema: { type: "integer", minimum: 0, maximum: 86_400 },
      default: 1,
    },
  });
  assert(outcomes.every(({ source }) => URL.canParse(String(source))));
  assert(outcomes.some(({ on, id }) => on === "mail/mail2" && id === "truncate"));
});

Deno.test("a rule without a phase applies in the first phase of its outcome", async () => {
  const places = faultPlaces(STANDARD_PLUGINS);
  for (const { on, id, phases } of places.flatMap(outcomesOf)) {
    const { at } = readRule({ on, outcome: id }, { place: "the fault", places });
    assertEquals(at.get(on), phases[0], `${on} ${id}`);
  }
  await using service = await start();
  const { outcomes } = await service.getJson<{ outcomes: Json[] }>("/faults/outcomes");
  const full = outcomes.find(({ id }) => id === "mailbox_full");
  assertEquals(full?.phases, ["data", "rcpt"]);
});

Deno.test("two runs with one seed fail the same requests, and another seed fails others", async () => {
  const run = async (seed: string): Promise<string> => {
    await using service = await start();
    using _ = await service.fault({ on: "mail/mail2", outcome: "unavailable", chance: 0.5, seed });
    let fates = "";
    for (let n = 0; n < 40; n++) fates += await statusOf(service) === 202 ? "." : "x";
    return fates;
  };
  const [first, second, other] = await Promise.all(["a", "a", "b"].map(run));
  assertEquals(first, second);
  assertNotEquals(first, other);
});

Deno.test("a thousand rules delay the request they match, but no others", async () => {
  await using service = await start();
  const match = { "to[*].email": { contains: "nobody" }, text: { regex: "(a|b)*a.{12}c$" } };
  const rule = { on: "mail/mail2", outcome: "hang", match };
  const plain = { ...rule, match: { "to[*].email": { contains: "nobody" } } };
  for (const faults of [Array.from({ length: 90 }, () => rule), Array(910).fill(plain)]) {
    const added = await post(service, { faults });
    assertEquals(added.status, 201, JSON.stringify(added.body).slice(0, 200));
  }
  const personalizations = Array.from({ length: 1000 }, (_, n) => ({
    to: [{ email: `${"a".repeat(40)}${n}@example.org` }],
  }));
  let isOver = false;
  const sending = fetch(`${service.ingress.url}/v3/mail/send`, {
    method: "POST",
    headers: { authorization: "Bearer SG.any", "content-type": "application/json" },
    body: JSON.stringify({
      personalizations,
      from: { email: "shop@example.com" },
      subject: "Hello",
      content: [{ type: "text/plain", value: "Hello" }],
    }),
  }).then(async (response) => {
    isOver = true;
    await response.body?.cancel();
    return response.status;
  });
  let meanwhile = 0;
  while (!isOver) {
    await service.getJson("/faults/outcomes");
    meanwhile++;
  }
  assertEquals(await sending, 202);
  // Without a pause in between, only the first would be sent before it was over.
  assert(meanwhile > 1, `${meanwhile} were answered meanwhile`);
});

Deno.test("rules in the file apply from the start; a reset clears their counts and removes the others", async () => {
  await using service = await start({
    faults: [{ on: "mail/mail2", outcome: ["forbidden"], name: "first" }],
  });
  await post(service, { on: "mail/mail2", outcome: "server_error" });
  assertEquals([await statusOf(service), await statusOf(service)], [403, 500]);
  await service.reset();
  assertEquals([await statusOf(service), await statusOf(service)], [403, 202]);
  const { faults } = await service.getJson<{ faults: Json[] }>("/faults");
  assertEquals(faults.map(({ name, from, hits }) => [name, from, hits]), [["first", "file", 1]]);
  assertEquals(await remove(service, "/faults"), 204);
  assertEquals(await statusOf(service), 403);
});

Deno.test("an invalid rule in the file stops the start and is named", async () => {
  const words = 'unknown outcome of mail/mail2 "rate_limits"; did you mean "rate_limit"?';
  const wrong = [{ on: "mail/mail2", outcome: "close" }, {
    on: "mail/mail2",
    outcome: "rate_limits",
  }];
  await assertRejects(
    () => start({ faults: wrong }),
    ConfigError,
    `Cannot use outcome of [[faults]] 2: ${words}`,
  );
  // It is detected before any port is bound.
  using taken = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = taken.addr as Deno.NetAddr;
  const smtp = { plugins: { mail: { providers: { smtp: { port } } } } };
  await assertRejects(
    () => start({ faults: wrong, ...smtp }),
    ConfigError,
    `Cannot use outcome of [[faults]] 2: ${words}`,
  );
  const settings = resolveSettings([mail], {
    file: { path: "/etc/standin.toml", tree: { faults: wrong } },
  });
  const held = openFaults({
    serverOf: () => undefined,
    namespaceOf: () => undefined,
    bits: () => 0,
    signal: new AbortController().signal,
  });
  await assertRejects(
    () => addFromFile(held, settings, [mail]),
    ConfigError,
    `Cannot use outcome of [[faults]] 2 of /etc/standin.toml: ${words}`,
  );
  assertThrows(
    () => resolveSettings([mail], { tree: { faults: {} } }),
    ConfigError,
    "expected tables, written [[faults]]",
  );
  const regex = [{ on: "mail/mail2", outcome: "close", match: { a: { regex: "(" } } }];
  await assertRejects(() => start({ faults: regex }), ConfigError, "missing closing )");
});

Deno.test("a request that meets a fault after capture is an event that names the fault", async () => {
  await using service = await start();
  const rule = { on: "mail/mail2", outcome: "unavailable", after: true, name: "late" };
  using fault = await service.fault(rule);
  const response = await send(service);
  assertEquals(response.status, 503);
  assertStringIncludes(await response.text(), "The SendGrid v3 Web API is not available.");
  assertEquals(service.list("mail.message")[0]?.meta.fault, "late");
  assertEquals([service.rejected.count, fault.hits], [0, 1]);
});

Deno.test("a fault set by the library ends with its scope, and still reports its hits", async () => {
  await using service = await start();
  let added;
  {
    using fault = await service.fault({ on: "mail/mail2", outcome: "unauthorized" });
    assertEquals(await statusOf(service), 401);
    added = fault;
  }
  assertEquals(await statusOf(service), 202);
  assertEquals(added.hits, 1);
  await assertRejects(
    () => service.fault({ on: "mail/mail2", outcome: "unauthorised" }),
    RangeError,
    'did you mean "unauthorized"?',
  );
});

Deno.test("a fault set by a client ends with its scope and stays in the client's namespace", async () => {
  await using service = await start();
  const client = connect(service.api.url, { namespace: "t17" });
  {
    await using fault = await client.fault({ on: "mail/mail2", outcome: "close" });
    assertEquals(await statusOf(service), 202);
    assertEquals(await fault.hits(), 0);
    assertEquals((await client.faults()).map(({ namespace }) => namespace), ["t17"]);
  }
  assertEquals(await client.faults(), []);
  await client.fault({ on: "mail/mail2", outcome: "hang", namespace: "t18" });
  await client.clearFaults();
  assertEquals(await client.faults(), []);
  await assertRejects(
    () => client.fault({ on: "mail/mail9", delay: "1s" }),
    RequestError,
    "did you mean",
  );
});

Deno.test("a namespace is known before it has an event", async () => {
  await using service = await start({ namespaces: { recipients: ["*+{namespace}@example.org"] } });
  using _ = await service.fault({ on: "mail/mail2", outcome: "server_error", namespace: "t17" });
  assertEquals(await statusOf(service, "ada+t18@example.org"), 202);
  assertEquals(await statusOf(service, "ada+t17@example.org"), 500);
});
