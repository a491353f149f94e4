/**
 * Instances, servers and the leader of a cluster are killed, suspended or cut off while a client of
 * every protocol sends: acknowledged items are on every instance, once, in one order.
 * `NATS_KILL_ROUNDS=50` runs many more rounds, `NATS_KILL_SEED=n` for the choices of an earlier
 * run.
 *
 * @module
 */
import { requireNats } from "../support/nats.ts";
import { hasLeader, patiently } from "../support/nats_team.ts";
import { killRounds, NETWORK_ROUNDS, type Round, ROUNDS } from "../support/nats_rounds.ts";
import { requireNetwork } from "../support/netns.ts";
import { numberFrom, seedFrom } from "../support/settings.ts";

const MORE = numberFrom("NATS_KILL_ROUNDS", 0);
const SEED = seedFrom("NATS_KILL_SEED");

Deno.test(
  "acknowledged events survive kill -9 of the server and of an instance, and a rolling replacement",
  async (t) => {
    await using nats = await requireNats(t);
    if (nats === undefined) return;
    await killRounds(nats, {
      nodes: 1,
      instances: 2,
      rounds: ["server", "instance", "replacement"],
    });
  },
);

Deno.test("with three servers, nothing acknowledged is lost when any part fails", async (t) => {
  await using network = await requireNetwork(t, 3);
  await using nats = await requireNats(t, { nodes: 3, network });
  if (nats === undefined) return;
  await patiently(() => hasLeader(nats));
  const random = generator(SEED);
  const kinds = [...ROUNDS, ...(network === undefined ? [] : NETWORK_ROUNDS)];
  const further = Array.from({ length: MORE }, () => kinds[Math.floor(random() * kinds.length)]!);
  const rounds: readonly Round[] = [
    "leader",
    "pause",
    ...(network === undefined ? [] : NETWORK_ROUNDS),
    "all servers",
    ...further,
  ];
  // In many rounds, clients without a pause would capture more than a restart reads in a minute.
  const paceMs = MORE > 0 ? 300 : 0;
  const { events } = await killRounds(nats, { nodes: 3, instances: 3, rounds, network, paceMs });
  if (MORE > 0) console.log(`${rounds.length} rounds, seed ${SEED}: ${events} events`);
});

function generator(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 1_103_515_245 + 12_345) % 2_147_483_648) / 2_147_483_648;
}
