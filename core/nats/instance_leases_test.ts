import { assert, assertEquals } from "@std/assert";
import { silentLogger } from "../log.ts";
import type { Engine } from "./engine.ts";
import { InstanceLeases, pause } from "./instance_leases.ts";

interface Stored {
  readonly seq: number;
  readonly data: Uint8Array;
}

/** A stream that keeps the last message of each subject, as the server does. */
function fakeEngine() {
  const last = new Map<string, Stored>();
  let seq = 0;
  let failures = 0;
  let isStoredAnyway = false;
  const store = (subject: string, text: string): number => {
    last.set(subject, { seq: ++seq, data: new TextEncoder().encode(text) });
    return seq;
  };
  const publish = (
    subject: string,
    text: string,
    { expect }: { expect: { lastSubjectSequence: number } },
  ): Promise<{ seq: number }> => {
    if (expect.lastSubjectSequence !== (last.get(subject)?.seq ?? 0)) {
      return Promise.reject(
        Object.assign(new Error("wrong sequence"), { name: "JetStreamApiError" }),
      );
    }
    if (failures > 0 && !last.has(subject)) {
      failures--;
      if (isStoredAnyway) store(subject, text);
      return Promise.reject(new Error("timeout"));
    }
    return Promise.resolve({ seq: store(subject, text) });
  };
  const streams = {
    info: () => Promise.resolve({ state: { subjects: Object.fromEntries(last) } }),
    getMessage: (_: string, { last_by_subj: subject }: { last_by_subj: string }) =>
      Promise.resolve(last.get(subject) ?? null),
    purge: (_: string, { filter }: { filter: string }) => Promise.resolve(last.delete(filter)),
  };
  const engine = { client: { publish }, manager: { streams }, link: { isConnected: true } };
  return {
    engine: engine as unknown as Engine,
    last,
    /** Another instance takes a lease. */
    claim: (subject: string) => store(subject, JSON.stringify({ holder: "other" })),
    /** Messages on new subjects get no response this many times. */
    failNew: (count: number, { isStored }: { isStored: boolean }) => {
      failures = count;
      isStoredAnyway = isStored;
    },
  };
}

const never = new Promise<void>(() => {});

for (
  const [what, failures, isStored] of [
    ["fails twice", 2, false],
    ["fails for longer than a lease lasts", 30, false],
    ["stores it without a response", 1, true],
  ] as const
) {
  Deno.test(`an instance that lost its lease gets another one, even if NATS ${what}`, async () => {
    const { engine, last, claim, failNew } = fakeEngine();
    let losses = 0;
    const leases = new InstanceLeases(engine, {
      stream: "calls",
      lease: (instance) => `lease.${instance}`,
      leaseMs: 300,
      beatMs: 20,
      log: silentLogger,
    }, { takeOver: () => Promise.resolve(true), lost: () => losses++ });
    await leases.start();
    const former = leases.id;
    try {
      failNew(failures, { isStored });
      claim(`lease.${former}`);
      const endMs = performance.now() + 5000;
      const isBack = () => leases.id !== former && last.has(`lease.${leases.id}`);
      while (!isBack() && performance.now() < endMs) await pause(20, never);
      assert(isBack(), "it has no lease");
      await pause(50, never);
      assertEquals(leases.confirmed(), undefined);
      // After a long failure, another instance may have had the second one.
      assertEquals(losses > 1, failures > 2);
    } finally {
      await leases.close();
    }
  });
}
