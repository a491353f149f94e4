import { assertEquals } from "@std/assert";
import { resolveSettings } from "../options/resolve.ts";
import { STANDARD_PLUGINS } from "../../plugins/standard.ts";
import { PLAIN_PLUGINS } from "../../tests/support/plain_plugins.ts";
import { type DescribeOptions, describePlugins, type ProviderInfo } from "./describe.ts";

function describe(
  tree: Readonly<Record<string, unknown>>,
  options: DescribeOptions = {},
): ReadonlyMap<string, ProviderInfo> {
  const infos = describePlugins(PLAIN_PLUGINS, resolveSettings(PLAIN_PLUGINS, { tree }), options);
  return new Map(
    infos.flatMap(({ name, providers }) => providers.map((info) => [`${name}/${info.name}`, info])),
  );
}

/** Everything is described on one port. */
const live = (hostname: string, port: number): DescribeOptions => ({
  endpointOf: () => ({ hostname, port, url: `any://${hostname}:${port}` }),
});

Deno.test("without a running service, ports and snippets follow the settings", () => {
  const infos = describe({
    ingress: { port: 4711 },
    plugins: { mail: { providers: { smtp: { port: 2525 } } } },
  });
  const mail1 = infos.get("mail/mail1");
  assertEquals(mail1?.listener, false);
  assertEquals([mail1?.port, mail1?.network, mail1?.addr, mail1?.url], Array(4).fill(undefined));
  assertEquals(mail1?.endpoints, [{ method: "POST", path: "/v3.1/send", description: "Send one" }]);
  assertEquals(mail1?.snippets[0]?.code, "curl -d x http://localhost:4711/v3.1/send");
  const smtp = infos.get("mail/smtp");
  assertEquals(smtp?.listener, true);
  assertEquals([smtp?.port, smtp?.network, smtp?.addr], [2525, "tcp", undefined]);
  assertEquals(smtp?.endpoints, []);
});

Deno.test("a provider has a short name, which is its title by default", () => {
  const shortTitles = describePlugins(STANDARD_PLUGINS, resolveSettings(STANDARD_PLUGINS, {}))
    .flatMap(({ providers }) => providers)
    .map(({ name, short_title }) => `${name} ${short_title}`);
  assertEquals(shortTitles.includes("mail2 SendGrid"), true);
  assertEquals(shortTitles.includes("smtp SMTP"), true);
});

Deno.test("a port that is only known at start is left out, and snippets show the usual one", () => {
  const infos = describe({
    ingress: { port: 0 },
    plugins: { snmp: { providers: { trap: { port: 0 } } } },
  });
  const trap = infos.get("snmp/trap");
  assertEquals("port" in (trap ?? {}), false);
  assertEquals(trap?.network, "udp");
  assertEquals(trap?.snippets[0]?.code, "snmptrap 127.0.0.1:1162");
  const { snippets } = infos.get("mail/mail1")!;
  assertEquals(snippets[0]?.code, "curl -d x http://localhost:8822/v3.1/send");
});

Deno.test("a running service shows the bound addresses", () => {
  const bind = { plugins: { mail: { providers: { smtp: { bind: "::1" } } } } };
  const infos = describe(bind, live("localhost", 40_000));
  assertEquals(infos.get("mail/smtp")?.addr, "[::1]:40000");
  assertEquals(infos.get("mail/smtp")?.port, 40_000);
  assertEquals(infos.get("mail/mail1")?.url, "any://localhost:40000");
  assertEquals(infos.get("mail/mail1")?.addr, undefined);
});

Deno.test("datagrams go to 127.0.0.1 if localhost might mean ::1, and to any other host by name", () => {
  const trap = (hostname: string) =>
    describe({}, live(hostname, 162)).get("snmp/trap")?.snippets[0]?.code;
  assertEquals(trap("localhost"), "snmptrap 127.0.0.1:162");
  assertEquals(trap("box.example"), "snmptrap box.example:162");
});

Deno.test("disabled providers are listed on request only, and never with an address", () => {
  const tree = {
    plugins: { files: { enabled: false }, mail: { providers: { smtp: { enabled: false } } } },
  };
  assertEquals([...describe(tree).keys()], ["mail/mail1", "s3/http", "snmp/trap", "as2/http"]);
  const all = describe(tree, { ...live("localhost", 1), all: true });
  assertEquals(all.size, 7);
  for (const name of ["mail/smtp", "files/ftp", "files/sftp"]) {
    const info = all.get(name);
    assertEquals([info?.enabled, info?.addr, info?.url], [false, undefined, undefined], name);
  }
});
