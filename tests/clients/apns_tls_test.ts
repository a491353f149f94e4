import { assertEquals } from "@std/assert";
import type { CapturedEvent } from "../../core/events/event.ts";
import { push } from "../../plugins/push/mod.ts";
import type { PushMessage } from "../../plugins/push/model.ts";
import { requireNode, requirePython, runOk } from "../support/clients.ts";
import { startService, type TestService } from "../support/service.ts";

const PACKAGES = { "@parse/node-apn": "8.1.0", "apns2": "12.2.0", "undici": "7.28.0" };

/** A service that speaks TLS, and the file that holds its CA. */
interface Secured extends AsyncDisposable {
  readonly service: TestService;
  readonly ca: string;
}

async function start(): Promise<Secured> {
  const service = await startService({
    plugins: [push],
    config: { ingress: { tls_in_memory: true } },
  });
  const ca = await Deno.makeTempFile({ suffix: ".pem" });
  const answer = await fetch(`${service.api.url}/api/v1/tls/ca.pem`);
  await Deno.writeTextFile(ca, await answer.text());
  return {
    service,
    ca,
    async [Symbol.asyncDispose]() {
      await service.stop();
      await Deno.remove(ca);
    },
  };
}

/** What was captured, oldest first. */
function captured(service: TestService): CapturedEvent<PushMessage>[] {
  return (service.events.list({ plugin: "push" }) as CapturedEvent<PushMessage>[]).reverse();
}

/** Every push came over HTTP/2. */
function assertVersions(service: TestService): void {
  const versions = new Set(captured(service).map(({ meta }) => `${meta.http_version}`));
  assertEquals([...versions], ["2"]);
}

Deno.test("aioapns sends fifty pushes at once over TLS, and matches every answer", async (t) => {
  const python = await requirePython(t);
  if (python === undefined) return;
  await using secured = await start();
  const { service, ca } = secured;
  const script = new URL("python/aioapns_calls.py", import.meta.url).pathname;
  const { stdout } = await runOk(python, [script, String(service.ingress.port), ca]);
  assertEquals(JSON.parse(stdout), {
    good: 49,
    bad: [["400", "BadCollapseId"]],
    matched: true,
  });
  assertEquals(service.events.count("push"), 49);
  assertVersions(service);
});

for (const way of ["direct", "proxy"]) {
  const how = way === "proxy" ? "to the vendor's own host, through a tunnel" : "over TLS";
  Deno.test(`node-apn sends ${how}`, async (t) => {
    const project = await requireNode(t, PACKAGES);
    if (project === undefined) return;
    await using secured = await start();
    const { service, ca } = secured;
    const script = `
      import crypto from "node:crypto";
      import apn from "@parse/node-apn";

      const [port, way] = process.argv.slice(1);
      const { privateKey } = crypto.generateKeyPairSync("ec", { namedCurve: "P-256" });
      const key = privateKey.export({ type: "pkcs8", format: "pem" });
      const here = way === "proxy"
        ? { production: true, proxy: { host: "127.0.0.1", port: Number(port) } }
        : { address: "localhost", port: Number(port) };
      const token = { key, keyId: "ABC123DEFG", teamId: "TEAM123456" };
      const provider = new apn.Provider({ token, ...here });
      const note = new apn.Notification({ topic: "com.example.app", alert: { title: "T" } });
      const { sent, failed } = await provider.send(note, ["n1", "n2", "n3"]);
      provider.shutdown();
      console.log(JSON.stringify([sent.map(({ device }) => device), failed]));`;
    const args = ["--input-type=module", "--eval", script, String(service.ingress.port), way];
    // With a proxy the client leaves its own option for a CA aside.
    const env = { NODE_EXTRA_CA_CERTS: ca };
    const { stdout } = await runOk(project.node, args, { cwd: project.folder, env });
    assertEquals(JSON.parse(stdout), [["n1", "n2", "n3"], []]);
    assertEquals(captured(service).length, 3);
    assertVersions(service);
  });
}

Deno.test("apns2 of Node sends over TLS, and is told of refusals", async (t) => {
  const project = await requireNode(t, PACKAGES);
  if (project === undefined) return;
  await using secured = await start();
  const { service, ca } = secured;
  const script = `
    import crypto from "node:crypto";
    import fs from "node:fs";
    import { ApnsClient, Notification, SilentNotification } from "apns2";
    import { Pool } from "undici";

    const [port, ca] = process.argv.slice(1);
    const { privateKey } = crypto.generateKeyPairSync("ec", { namedCurve: "P-256" });
    const client = new ApnsClient({
      team: "TEAM123456",
      keyId: "ABC123DEFG",
      signingKey: privateKey.export({ type: "pkcs8", format: "pem" }),
      defaultTopic: "com.example.app",
    });
    // The vendor's address is built in; this leads it here.
    client.client = new Pool("https://localhost:" + port, {
      allowH2: true,
      connect: { ca: fs.readFileSync(ca) },
    });
    await client.sendMany([
      new Notification("a1", { alert: { title: "T", body: "B" } }),
      new SilentNotification("a2"),
    ]);
    const failed = await client.send(new Notification("a3", { collapseId: "x".repeat(65) }))
      .catch((error) => error);
    await client.client.close();
    console.log(JSON.stringify([failed.statusCode, failed.reason]));`;
  const args = ["--input-type=module", "--eval", script, String(service.ingress.port), ca];
  const { stdout } = await runOk(project.node, args, { cwd: project.folder });
  assertEquals(JSON.parse(stdout), [400, "BadCollapseId"]);
  const kinds = captured(service).map(({ payload }) => payload.kind).toSorted();
  assertEquals(kinds, ["notification", "silent"]);
  assertVersions(service);
});
