/** Secret settings: no log line, page, route, metric, tool, report or error reveals them. */
import { assert, assertEquals } from "@std/assert";
import { optionTree } from "../../core/options/tree.ts";
import { resolveSettings } from "../../core/options/resolve.ts";
import { STANDARD_PLUGINS } from "../../plugins/standard.ts";
import { runToEnd } from "../cli/console.ts";
import { scratch } from "../support/files.ts";
import { startService, type TestService } from "../support/service.ts";

/** Part of every secret, and of nothing else. */
const MARK = "Qx7-hidden";

/** Settings that are secrets, by path. */
const SECRETS = [...optionTree(STANDARD_PLUGINS).byPath].filter(([, { spec }]) => spec.secret)
  .map(([path, { spec }]) => ({ path, isTable: spec.kind === "tables" }));

/** A tree with a value at a path. */
function treeOf(path: string, value: unknown): Record<string, unknown> {
  return path.split(".").reduceRight<unknown>((inner, key) => ({ [key]: inner }), value) as Record<
    string,
    unknown
  >;
}

function merged(a: Record<string, unknown>, b: Record<string, unknown>): Record<string, unknown> {
  const all = { ...a };
  for (const [key, value] of Object.entries(b)) {
    const before = all[key];
    all[key] = isTree(before) && isTree(value) ? merged(before, value) : value;
  }
  return all;
}

function isTree(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const USER = {
  name: "ada",
  auth_password: `${MARK}-auth`,
  priv: "aes",
  priv_password: `${MARK}-priv`,
};

/** Settings with every secret but the token of the API. */
const CONFIG = SECRETS.filter(({ path }) => path !== "api.token").map(({ path, isTable }) =>
  treeOf(path, isTable ? [USER] : `${MARK}-${path}`)
).reduce(merged, {});

/** Everything readable of a service, by place. */
async function readable(service: TestService): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  const read = async (name: string, url: string, init: RequestInit = {}): Promise<void> => {
    const response = await fetch(url, init);
    found.set(name, `${JSON.stringify([...response.headers])} ${await response.text()}`);
  };
  const plugins = await service.getJson<{ name: string; providers: { name: string }[] }[]>(
    "/plugins",
  );
  for (const of of ["", ...plugins.map(({ name }) => `/${name}`)]) {
    const described = await fetch(`${service.api.url}/api/v1${of}/openapi.json`);
    const { paths = {} } = await described.json() as { paths?: Record<string, object> };
    for (const [path, methods] of Object.entries(paths)) {
      if (path.includes("{") || !("get" in methods) || path.endsWith("/stream")) continue;
      await read(path, `${service.api.url}${path}`);
    }
  }
  for (const page of ["/metrics", "/ui/", "/ui/setup/"]) await read(page, service.ui.url + page);
  for (const { name } of plugins.flatMap(({ providers }) => providers)) {
    await read(`how_to_send ${name}`, `${service.ui.url}/mcp`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({
        jsonrpc: "2.0",
        id: 1,
        method: "tools/call",
        params: { name: "how_to_send", arguments: { provider: name } },
      }),
    });
  }
  return found;
}

Deno.test("a service that holds secrets reveals none of them", async () => {
  assert(SECRETS.length > 15, `${SECRETS.length}`);
  await using service = await startService({ config: CONFIG, logLevel: "debug" });
  const demo = await runToEnd(["demo", "--url", service.api.url], { plugins: STANDARD_PLUGINS });
  // Refused by the providers with a key: that is logged, too.
  assertEquals(typeof demo.code, "number");
  for (const authorization of ["Bearer wrong", `Basic ${btoa("a:wrong")}`]) {
    const answer = await fetch(`${service.ingress.url}/v3/mail/send`, {
      method: "POST",
      headers: { authorization },
    });
    await answer.body?.cancel();
  }
  await using folder = await scratch();
  const report = `${folder.path}/report.html`;
  const made = await runToEnd(["report", "--url", service.api.url, "--html", report], {
    plugins: STANDARD_PLUGINS,
  });
  const texts = new Map(await readable(service));
  assert(texts.size > 30, `${[...texts.keys()]}`);
  texts.set("log", service.log.join("\n"));
  texts.set("demo", demo.stdout + demo.stderr);
  texts.set("report", made.stdout + made.stderr + await Deno.readTextFile(report));
  assert(service.log.length > 10);
  const told = [...texts].filter(([, text]) => text.includes(MARK)).map(([where, text]) =>
    `${where}: ${text.slice(Math.max(0, text.indexOf(MARK) - 200), text.indexOf(MARK) + 100)}`
  );
  assertEquals(told, []);
});

Deno.test("an error about a secret does not repeat it", () => {
  for (const { path } of SECRETS) {
    for (const wrong of [[MARK], { x: MARK }, 5, true, [{ name: MARK, auth: MARK, x: MARK }]]) {
      let message = "";
      try {
        resolveSettings(STANDARD_PLUGINS, { tree: treeOf(path, wrong), portsZero: true });
      } catch (error) {
        message = String(error);
      }
      assert(message !== "", `${path} takes ${JSON.stringify(wrong)}`);
      assert(!message.includes(MARK), message);
    }
  }
});

Deno.test("passwords in addresses of settings are neither shown nor repeated", async () => {
  const address = (port: number) => `http://ada:${MARK}@127.0.0.1:${port}/x`;
  let message = "";
  try {
    const tree = { storage: { events: "nats", nats: { servers: [`nats://ada:${MARK}@h:1`] } } };
    resolveSettings(STANDARD_PLUGINS, { tree, portsZero: true });
  } catch (error) {
    message = String(error);
  }
  assert(message.includes("nats://ada:***@h:1"), message);
  await using service = await startService({
    logLevel: "debug",
    config: {
      callbacks: { enabled: true, webhooks: { mail1: address(9) }, inbound: { mail1: address(9) } },
    },
  });
  const mail = { From: { Email: "a@b.org" }, To: [{ Email: "c@d.org" }], Subject: "x" };
  const sent = await fetch(`${service.ingress.url}/v3.1/send`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ Messages: [{ ...mail, TextPart: "x" }] }),
  });
  assertEquals(sent.status, 200, await sent.text());
  const [event] = await service.getJson<{ id: string }[]>("/events?limit=1");
  const { calls } = await service.getJson<{ calls: { url: string }[] }>(
    `/events/${event!.id}/callbacks`,
  );
  assertEquals(calls[0]?.url, "http://ada:***@127.0.0.1:9/x");
  const told = [...await readable(service)].filter(([, text]) => text.includes(MARK));
  assertEquals(told.map(([where]) => where), []);
  assertEquals(service.log.filter((line) => line.includes(MARK)), []);
});
