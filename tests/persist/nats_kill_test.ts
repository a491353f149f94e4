/**
 * `kill -9` of instances, of servers and of the leader of a cluster while a client of every
 * protocol sends: acknowledged items are on every instance, once, in one order.
 * `NATS_KILL_ROUNDS=50` runs many more rounds, `NATS_KILL_SEED=n` for the choices of an earlier
 * run.
 *
 * @module
 */
import { requireNats } from "../support/nats.ts";
import { hasLeader, patiently } from "../support/nats_team.ts";
import { killRounds, ROUNDS } from "../support/nats_rounds.ts";

const MORE = Number(Deno.env.get("NATS_KILL_ROUNDS") ?? 0);
const SEED = Number(Deno.env.get("NATS_KILL_SEED") ?? Math.floor(Math.random() * 1e9));

Deno.test(
  "acknowledged events survive kill -9 of the server and of an instance",
  async (t) => {
    await using nats = await requireNats(t);
    if (nats === undefined) return;
    await killRounds(nats, { nodes: 1, instances: 2, rounds: ["server", "instance"] });
  },
);

Deno.test("with three servers, killing the leader loses nothing", async (t) => {
  await using nats = await requireNats(t, { nodes: 3 });
  if (nats === undefined) return;
  await patiently(() => hasLeader(nats));
  const random = generator(SEED);
  const further = Array.from({ length: MORE }, () => ROUNDS[Math.floor(random() * ROUNDS.length)]!);
  const rounds = ["leader", ...further] as const;
  const count = await killRounds(nats, { nodes: 3, instances: 3, rounds });
  if (MORE > 0) console.log(`${rounds.length} rounds, seed ${SEED}: ${count} events`);
});

function generator(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 1_103_515_245 + 12_345) % 2_147_483_648) / 2_147_483_648;
}
