import { assertEquals, assertGreater } from "@std/assert";
import type { Readiness } from "../../core/api/ready.ts";
import { startCore } from "../../core/app/start.ts";
import { silentLogger } from "../../core/log.ts";
import { defineOptions, port } from "../../core/options/spec.ts";
import { resolveSettings } from "../../core/options/resolve.ts";
import { definePlugin, type PluginState, tcpProvider } from "../../core/plugin.ts";
import { startService } from "../support/service.ts";

Deno.test("ready names every listener, and each of them takes connections", async () => {
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

Deno.test("until the last listener is there, the answer is 503", async () => {
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
  assertEquals(await ask(), [200, {
    status: "ready",
    listeners: [
      { name: "ui", url: service.ui.url },
      { name: "api", url: service.api.url },
      { name: "slow/late", url: service.endpoint("late").url },
    ],
  }]);
});

function freePort(): number {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  return listener.addr.port;
}
