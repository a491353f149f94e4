/** Clients that send requests without a pause, and read every response: others are answered meanwhile. */
import { assertLess } from "@std/assert";
import { runOk } from "../support/clients.ts";
import { encodeCall, NFS } from "../support/nfs.ts";
import { listening } from "../support/program.ts";
import { startTarget, type Target } from "../support/under_attack.ts";

/** Far above one time slice, far below what each of these once took: all the time. */
const MAX_WAIT_MS = 1500;
const FLOOD_MS = 4000;
const REQUESTS = 1000;
const POUR = new URL("../support/pour.ts", import.meta.url).pathname;

/** One request, and its listener. */
interface Pipelined {
  readonly request: Uint8Array;
  port(target: Target): Promise<number>;
}

function get(listener: string, path: string): Pipelined {
  return {
    request: new TextEncoder().encode(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`),
    port: ({ urls }) => Promise.resolve(Number(new URL(urls[listener]!).port)),
  };
}

const PIPELINED: Readonly<Record<string, Pipelined>> = {
  "requests that are refused": get("ingress", "/nowhere"),
  "long responses": get("ui", "/api/v1/openapi.json"),
  "NFS calls": {
    request: encodeCall({ program: NFS, procedure: 0, xid: 1 }),
    port: async (target) => (await listening(target)).endpoint("nfs").port,
  },
};

/** Sends the same request again and again, and drops every response. */
async function pour(port: number, request: Uint8Array): Promise<void> {
  const args = [`${port}`, `${FLOOD_MS}`, `${REQUESTS}`, request.toHex()];
  await runOk(Deno.execPath(), ["run", "--quiet", "--no-check", "--allow-net", POUR, ...args]);
}

Deno.test("other clients are answered while one never waits for its responses", async (t) => {
  await using target = await startTarget();
  for (const [name, { request, port }] of Object.entries(PIPELINED)) {
    await t.step(name, async () => {
      const at = await port(target);
      const { longestWaitMs } = await target.measure(() => pour(at, request));
      const waited = `another client waited for ${Math.round(longestWaitMs)} ms of work`;
      assertLess(longestWaitMs, MAX_WAIT_MS, waited);
    });
  }
});
