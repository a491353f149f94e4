/** Which provider gets a request when several share its path: the vendor's host decides, then what its clients send. */
import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { ConfigError } from "../../core/errors.ts";
import type { OptionSet } from "../../core/options/spec.ts";
import {
  type AnyPlugin,
  type IngressProvider,
  ingressProvider,
  type PluginState,
} from "../../core/plugin.ts";
import { RawClient } from "../support/raw_http.ts";
import { startService, type TestService } from "../support/service.ts";
import { toy } from "../support/toy.ts";

type Vendor = IngressProvider<OptionSet, PluginState>;

function vendor(id: string, more: Partial<Pick<Vendor, "claims" | "vendorHosts">> = {}): Vendor {
  return ingressProvider<PluginState, OptionSet>({
    id,
    title: id,
    about: `Answers as ${id}`,
    options: {},
    routes: ["/shared/{a}", `/own/${id}`].map((path) => ({
      method: "POST" as const,
      path,
      about: "Answer",
      handle: ({ params }) => new Response(`${id} ${params.a ?? "alone"}`),
    })),
    refuse: (_call, { status }) => new Response(`${id} refuses`, { status }),
    snippets: () => [],
    ...more,
  });
}

const KEYED = vendor("keyed", {
  vendorHosts: ["api.keyed.example"],
  claims: ({ headers }) => headers.has("x-key"),
});
const SCOPED = vendor("scoped", {
  vendorHosts: ["*.scoped.example"],
  claims: ({ target }) => target.includes("scope="),
});
const PLAIN = vendor("plain");

function start(providers: readonly Vendor[]): Promise<TestService> {
  return startService({ plugins: [{ ...toy, providers } as AnyPlugin] });
}

async function ask(
  { ingress }: TestService,
  target: string,
  { headers = [], host = "localhost", method = "POST" }: {
    headers?: readonly string[];
    host?: string;
    method?: string;
  } = {},
): Promise<string> {
  using client = await RawClient.connect(ingress.port);
  const lines = [`${method} ${target} HTTP/1.1`, `Host: ${host}`, "Content-Length: 0", ...headers];
  await client.send(`${lines.join("\r\n")}\r\n\r\n`);
  const { status, body } = await client.answer();
  return status === 404 ? "404" : body;
}

Deno.test("of providers that share a path, the one that claims a request gets it, else the one without claims", async () => {
  await using service = await start([KEYED, SCOPED, PLAIN]);
  const keyed = { headers: ["X-Key: any"] };
  assertEquals(await ask(service, "/shared/1"), "plain 1");
  assertEquals(await ask(service, "/shared/1", keyed), "keyed 1");
  assertEquals(await ask(service, "/shared/1?scope=2"), "scoped 1");
  assertEquals(await ask(service, "//shared/1", keyed), "keyed 1");
  assertEquals(await ask(service, "/own/scoped", keyed), "scoped alone");
});

Deno.test("a request to a vendor's own host goes only to that vendor", async () => {
  await using service = await start([KEYED, SCOPED, PLAIN]);
  const host = "api.keyed.example";
  assertEquals(await ask(service, "/shared/1", { host }), "keyed 1");
  assertEquals(await ask(service, "/shared/1?scope=2", { host: `${host}:443` }), "keyed 1");
  assertEquals(await ask(service, "/shared/1", { host: "EU.scoped.example" }), "scoped 1");
  assertEquals(await ask(service, "/own/plain", { host }), "404");
  assertEquals(await ask(service, "/shared/1", { host, method: "PUT" }), "keyed refuses");
  assertEquals(await ask(service, "/own/plain", { host: "other.example" }), "plain alone");
});

Deno.test("when every provider of a path has claims, an unclaimed request goes to the first", async () => {
  await using service = await start([KEYED, SCOPED]);
  assertEquals(await ask(service, "/shared/1"), "keyed 1");
  assertEquals(await ask(service, "/shared/1?scope=2"), "scoped 1");
});

Deno.test("two providers that share a path without claims stop the start, and both are named", async () => {
  const error = await assertRejects(() => start([PLAIN, KEYED, vendor("second")]), ConfigError);
  assertStringIncludes(
    error.message,
    "Cannot mount POST /shared/{a}: both toy/plain and toy/second claim it",
  );
});
