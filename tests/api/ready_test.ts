import { assertEquals, assertGreater, assertMatch, assertStringIncludes } from "@std/assert";
import type { Readiness } from "../../core/api/ready.ts";
import { startCore } from "../../core/app/start.ts";
import { silentLogger } from "../../core/log.ts";
import { defineOptions, port } from "../../core/options/spec.ts";
import { resolveSettings } from "../../core/options/resolve.ts";
import { definePlugin, type PluginState, tcpProvider } from "../../core/plugin.ts";
import { startService } from "../support/service.ts";
import { freePort } from "../support/free_port.ts";

Deno.test("ready lists every listener, and each of them accepts connections", async () => {
  await using service = await startService({ config: { instance: "box" } });
  const { status, instance, listeners } = await service.getJson<Readiness>("/ready");
  assertEquals([status, instance], ["ready", "box"]);
  assertEquals(listeners.slice(0, 3).map(({ name }) => name), ["ui", "api", "ingress"]);
  const names = listeners.map(({ name }) => name);
  for (const name of ["mail/smtp", "files/ftp", "s3/http", "snmp/trap", "hl7/mllp"]) {
    assertEquals(names.includes(name), true, name);
  }
  // Providers that share the ingress have no listener of their own.
  assertEquals(names.includes("mail/mail1"), false);
  for (const { name, url } of listeners.filter(({ url }) => !/^(snmp|tftp):/.test(url))) {
    const { protocol, hostname, port } = new URL(url);
    using connection = await Deno.connect({ hostname, port: Number(port) });
    const greets = ["smtp:", "ftp:", "sftp:"].includes(protocol);
    if (greets) assertGreater(await connection.read(new Uint8Array(512)), 0, name);
    assertEquals(url.startsWith(name === "ui" ? service.ui.url : ""), true);
  }
});

Deno.test("the answer is 503 until the last listener is up", async () => {
  const gate = Promise.withResolvers<void>();
  const opening = Promise.withResolvers<void>();
  const slow = definePlugin<PluginState>({
    id: "slow",
    title: "Slow",
    about: "Takes its time",
    eventTypes: [],
    routes: [],
    providers: [tcpProvider({
      id: "late",
      title: "Late",
      about: "Listens late",
      scheme: "late",
      options: defineOptions({ port: port("Port", 0) }),
      portOption: "port",
      async open() {
        opening.resolve();
        await gate.promise;
        return { serve: () => Promise.resolve() };
      },
    })],
    open: () => ({}),
  });
  const ui = freePort();
  const starting = startCore([slow], {
    settings: resolveSettings([slow], { tree: { ui: { port: ui } }, portsZero: true }),
    log: silentLogger,
  });
  await opening.promise;
  const ask = async (): Promise<readonly [number, Readiness]> => {
    const answer = await fetch(`http://127.0.0.1:${ui}/api/v1/ready`);
    return [answer.status, await answer.json()];
  };
  const [status, early] = await ask();
  assertEquals([status, early.status], [503, "starting"]);
  assertEquals(early.listeners.map(({ name }) => name), ["ui", "api"]);
  gate.resolve();
  await using service = await starting;
  const [later, { listeners, ...rest }] = await ask();
  assertEquals([later, rest], [200, { status: "ready" }]);
  assertEquals(listeners.map(({ name, url }) => [name, url]), [
    ["ui", service.ui.url],
    ["api", service.api.url],
    ["slow/late", service.endpoint("late").url],
  ]);
});

Deno.test("ready and metrics show which listeners are full, and the journal shows which clients were turned away", async () => {
  const full = { max_connections: 1 };
  await using service = await startService({
    config: {
      plugins: {
        mail: { providers: { smtp: full } },
        files: { providers: { ftp: full, sftp: full, nfs: full } },
        hl7: { providers: { mllp: full } },
      },
    },
  });
  const listener = async (name: string) =>
    (await service.getJson<Readiness>("/ready")).listeners.find((one) => one.name === name)!;
  for (const provider of ["smtp", "ftp", "sftp", "nfs", "mllp"]) {
    const { hostname, port } = service.endpoint(provider);
    const name = (await service.getJson<Readiness>("/ready")).listeners
      .find(({ name }) => name.endsWith(`/${provider}`))!.name;
    const about = { name, url: service.endpoint(provider).url, max_connections: 1 };
    assertEquals(await listener(name), { ...about, connections: 0, at_cap: false, refused: 0 });
    using _first = await Deno.connect({ hostname, port });
    for (let i = 0; i < 3; i++) {
      using conn = await Deno.connect({ hostname, port });
      const said = await new Response(conn.readable).text();
      assertMatch(said, GREETINGS[provider]!);
    }
    assertEquals(await listener(name), { ...about, connections: 1, at_cap: true, refused: 3 });
    const [record, ...others] = service.rejected.list({ provider });
    assertEquals(
      record?.reason,
      `Cannot accept more than 1 connections on ${name}: this one was refused`,
    );
    assertEquals(others, []);
    const metrics = await (await fetch(`${service.api.url}/metrics`)).text();
    for (
      const [family, value] of [["connections", 1], ["max_connections", 1], ["refused_total", 3]]
    ) {
      assertStringIncludes(metrics, `standin_listener_${family}{listener="${name}"} ${value}\n`);
    }
  }
  for (const name of ["ui", "api", "ingress", "s3/http"]) {
    const { max_connections, at_cap, refused } = await listener(name);
    assertEquals([max_connections, at_cap, refused], [2000, false, 0], name);
  }
  assertEquals(Object.keys(await listener("files/tftp")), ["name", "url"]);
});

/** Replies to rejected clients, if their protocol has any. */
const GREETINGS: Readonly<Record<string, RegExp>> = {
  smtp: /^421 4\.7\.0 Too many/,
  ftp: /^421 Too many/,
  sftp: /^SSH-2\.0-standin\r\n.*Too many connections/s,
  nfs: /^$/,
  mllp: /^$/,
};
