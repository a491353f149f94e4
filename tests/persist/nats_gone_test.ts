/** While NATS is gone, every protocol answers with its own temporary error; afterwards all goes on. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { reasonOf } from "../../core/errors.ts";
import { type Sender, SENDERS } from "../support/event_senders.ts";
import { until } from "../support/files.ts";
import { requireNats } from "../support/nats.ts";
import { startService } from "../support/service.ts";

/** Answer of each provider while NATS is gone; those of the file tree have a writer to find first. */
const REFUSED: Readonly<Record<string, RegExp>> = {
  mail1: /503 .*"StatusCode":503/,
  mail2: /503 .*"errors"/,
  mail3: /503 .*"application_error"/,
  sms1: /503 .*"code":20503/,
  chat1: /503 service_unavailable/,
  push1: /503 .*"UNAVAILABLE"/,
  as2: /503/,
  s3: /503 .*SlowDown/s,
  smtp: /451 4\.3\.0/,
  mllp: /MSA\|AE\|/,
  trap: /No response/,
};
/** Time limit for refusals while the connection has just been lost, and later, in milliseconds. */
const [FIRST_MS, AT_ONCE_MS] = [11_000, 5000];
/** Time limit for a list, in milliseconds. */
const LIST_MS = 5000;

Deno.test("while NATS is gone captures are refused temporarily, and nothing refused is kept", async (t) => {
  await using nats = await requireNats(t);
  if (nats === undefined) return;
  await using service = await startService({
    config: { storage: { events: "nats", nats: { servers: nats.servers } } },
    logLevel: "error",
  });
  const where = {
    ingress: service.ingress.url,
    endpoint: (id: string) => service.endpoint(id),
  };
  const open = async (): Promise<ReadonlyMap<string, Sender>> => {
    const names = Object.keys(REFUSED);
    const opened = await Promise.all(names.map((name) => SENDERS[name]!(where)));
    return new Map(names.map((name, index) => [name, opened[index]!]));
  };
  const close = (senders: ReadonlyMap<string, Sender>) =>
    Promise.all([...senders.values()].map((one) => one.close?.()));
  const send = (senders: ReadonlyMap<string, Sender>, n: number) =>
    Promise.allSettled(
      [...senders].map(([name, one]) => one.send(`T${name}R0N${n}E`, () => {})),
    );

  const senders = await open();
  for (const { status } of await send(senders, 0)) assertEquals(status, "fulfilled");
  const before = await service.getJson<{ id: string }[]>("/events?limit=0");

  await nats.stop(0, "SIGKILL");
  // The loss may not be certain yet: some clients give up before the service does.
  const beganMs = performance.now();
  for (const { status } of await send(senders, 1)) assertEquals(status, "rejected");
  assert(performance.now() - beganMs < FIRST_MS, "refused in time");
  await close(senders);
  const lateSenders = await open();
  const laterMs = performance.now();
  const refusals = await send(lateSenders, 2);
  assert(performance.now() - laterMs < AT_ONCE_MS, "refused at once");
  for (const [index, name] of [...lateSenders.keys()].entries()) {
    const refusal = refusals[index]!;
    assert(refusal.status === "rejected", `${name} acknowledged`);
    assertMatch(reasonOf(refusal.reason), REFUSED[name]!, name);
  }
  const askedMs = performance.now();
  await service.getJson("/events", 503);
  assert(performance.now() - askedMs < LIST_MS, "the list answers in time");
  await close(lateSenders);

  await nats.start(0);
  await until(() => service.getJson("/ready").then(() => true, () => false), 10_000);
  const after = await service.getJson<{ id: string }[]>("/events?limit=0");
  assertEquals(after.map(({ id }) => id), before.map(({ id }) => id));
  const again = await open();
  for (const { status } of await send(again, 3)) assertEquals(status, "fulfilled");
  await close(again);
});
