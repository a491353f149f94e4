import { assert, assertEquals } from "@std/assert";
import { MemoryBudget } from "../../../core/memory/budget.ts";
import { transportPair } from "../../../core/net/pair.ts";
import { markOf } from "./codec/record.ts";
import { XdrWriter } from "./codec/xdr.ts";
import { Duplicates } from "./duplicates.ts";
import { serveRpc } from "./session.ts";
import { SpareRecords } from "./spare_records.ts";

const RECORD_BYTES = 1024 * 1024;
const CHUNK_BYTES = 65_536;

/** A call of program 7, which does not exist, with arguments that fill the record. */
function largeCall(): Uint8Array {
  const out = new XdrWriter().u32(1).u32(0).u32(2).u32(7).u32(1).u32(0).u32(0).u32(0).u32(0).u32(0);
  const record = new Uint8Array(4 + RECORD_BYTES);
  new DataView(record.buffer).setUint32(0, markOf(RECORD_BYTES));
  record.set(out.take(), 4);
  return record;
}

Deno.test("a client that is silent after a large record occupies no memory", async () => {
  const memory = new MemoryBudget({ limitBytes: 16 * RECORD_BYTES });
  const [client, server] = transportPair();
  const serving = serveRpc(server, {
    programs: new Map(),
    duplicates: new Duplicates(),
    host: "192.0.2.1",
    memory,
    spare: new SpareRecords(),
    idleMs: 60_000,
    signal: new AbortController().signal,
    called() {},
    refuse() {},
    fault(error) {
      throw error;
    },
  });

  const record = largeCall();
  for (let at = 0; at < record.length; at += CHUNK_BYTES) {
    await client.write(record.slice(at, at + CHUNK_BYTES));
  }
  const reply = await client.read({ idleMs: 5000 });
  assertEquals(reply?.[7], 1, "the xid of the call");
  assert(memory.lentBytes >= RECORD_BYTES, `${memory.lentBytes} bytes of the record count`);

  const endMs = performance.now() + 10_000;
  while (memory.lentBytes > 0 && performance.now() < endMs) {
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  assertEquals(memory.lentBytes, 0, "still counted while the client is silent");

  await client[Symbol.asyncDispose]();
  await serving;
});
