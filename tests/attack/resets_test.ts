/** Connections that are opened and reset at once do not delay other clients. */
import { assert, assertEquals } from "@std/assert";
import type { Readiness } from "../../core/api/ready.ts";
import { within } from "../../core/net/within.ts";
import { FtpClient } from "../support/ftp.ts";
import { HOSTILE, latin1, writeAll } from "../support/hostile.ts";
import { FREE_PORTS, listening } from "../support/program.ts";
import { resetMany } from "../support/resets.ts";
import { startTarget, type Target } from "../support/under_attack.ts";

const RESETS = 200;
/** With a pause after each, as when descriptors run out, this would take three minutes. */
const MAX_WAIT_MS = 5000;

const HTTP = latin1("GET /api/v1/health HTTP/1.1\r\nHost: localhost\r\n\r\n");
/** What a client sends first, by scheme of the listener; clients of other schemes wait for a greeting. */
const FIRST_WORDS: Readonly<Record<string, Uint8Array>> = {
  http: HTTP,
  mllp: HOSTILE.MLLP!,
  nfs: HOSTILE["ONC RPC"]!,
};

async function listeners(target: Target): Promise<{ scheme: string; port: number }[]> {
  const { listeners } = await (await fetch(`${target.urls.api}/api/v1/ready`)).json() as Readiness;
  return listeners.map(({ url }) => new URL(url))
    .map(({ protocol, port }) => ({ scheme: protocol.slice(0, -1), port: Number(port) }))
    .filter(({ scheme }) => scheme !== "tftp" && scheme !== "snmp");
}

/** Sends something, and fails without a response in time. */
async function checkAnswered(port: number, words: Uint8Array = new Uint8Array()): Promise<void> {
  const conn = await Deno.connect({ hostname: "127.0.0.1", port });
  try {
    await writeAll(conn, words);
    const answer = conn.read(new Uint8Array(1));
    // If it takes too long it continues until the connection ends.
    answer.catch(() => {});
    assertEquals(await within(answer, MAX_WAIT_MS, "Another client is kept waiting"), 1);
  } finally {
    conn.close();
  }
}

Deno.test("connections that are reset at once delay nobody on any listener", async (t) => {
  await using target = await startTarget({ env: { SERVICE_LOG_LEVEL: "info" } });
  const found = await listeners(target);
  assertEquals(new Set(found.map(({ scheme }) => scheme)).size, 6);
  for (const { scheme, port } of found) {
    await t.step(`${scheme} ${port}`, async () => {
      await resetMany(port, { count: RESETS });
      await checkAnswered(port, FIRST_WORDS[scheme]);
    });
  }
  const { stderr } = await target.stop();
  const lines = stderr.split("\n").filter((line) => line.includes("before they were accepted"));
  assert(lines.length > 0 && lines.length <= 2 * found.length, stderr);
});

Deno.test("requests whose connection is reset at once delay nobody", async () => {
  await using target = await startTarget({ args: ["serve", ...FREE_PORTS, "--tls-in-memory"] });
  const port = Number(new URL(target.urls.ingress!).port);
  for (const words of [HTTP, HOSTILE["a TLS handshake"]!, HOSTILE["cleartext HTTP/2"]!]) {
    await resetMany(port, { count: RESETS, words });
    for (const asked of [HTTP, HOSTILE["a TLS handshake"]!]) {
      await checkAnswered(port, asked);
    }
  }
});

Deno.test("connections from strangers that are reset at once do not take the slot of a data connection", async () => {
  await using target = await startTarget();
  await using client = await FtpClient.open(await listening(target));
  const port = Number(/\|\|\|(\d+)\|/.exec((await client.ask("EPSV"))[0] ?? "")?.[1]);
  await resetMany(port, { count: 20 });
  using data = await Deno.connect({ hostname: "127.0.0.1", port });
  await client.play("STOR kept.txt", /^150 /);
  await data.write(latin1("kept"));
  await data.closeWrite();
  await client.play(/^226 /);
});
