/**
 * Instances on NATS: captures and puts per second, alone and together, then rounds in which a part
 * is killed, suspended, replaced or cut off, in which nothing acknowledged may be lost.
 * `NATS_KILL_ROUNDS=200` for more than 20, `NATS_KILL_FIRST=20` to start with the twenty-first,
 * `NATS_BENCH=kill` for the rounds only.
 */
import { findProgram } from "../support/clients.ts";
import { buildNats, startNats } from "../support/nats.ts";
import { objectUrl } from "../support/nats_objects.ts";
import { killRounds, NETWORK_ROUNDS, type Round, ROUNDS } from "../support/nats_rounds.ts";
import { hasLeader, type Instance, patiently, Team } from "../support/nats_team.ts";
import { openNetwork } from "../support/netns.ts";
import { load, mail2Load, report } from "./measure.ts";
import { isSet, numberFrom } from "../support/settings.ts";

const SECONDS = 5;
const CONNECTIONS = 64;
/** Clients of the object store for each instance. */
const LANES = 32;
const KILLS = numberFrom("NATS_KILL_ROUNDS", 20);
const FIRST = numberFrom("NATS_KILL_FIRST", 0, { least: 0 });
/**
 * Pause of each client, in milliseconds: the rounds are about what is lost, not about load, and the files of all rounds
 * must fit into one folder.
 */
const PACE_MS = Math.max(50, 12 * KILLS);
const TEAMS: readonly (readonly [1 | 3, number])[] = isSet("NATS_BENCH", "kill")
  ? []
  : [[1, 1], [1, 3], [3, 1], [3, 3]];

const program = await buildNats();
for (const [nodes, count] of TEAMS) {
  await using nats = await startNats(program, { nodes });
  await patiently(() => hasLeader(nats));
  await using team = await Team.start(nats, { count, replicas: nodes });
  const where = `${count} of Standin, ${nodes} of NATS`;
  const rates = await Promise.all(
    team.running.map((at) => load({ ...mail2Load(at.ingress, SECONDS), connections: CONNECTIONS })),
  );
  const captures = rates.reduce((sum, { perSecond }) => sum + perSecond, 0);
  report(`captures: ${where}`, `${captures.toFixed(0)} /s`);
  const [first] = team.running;
  await (await fetch(objectUrl(first!, ""), { method: "PUT" })).body?.cancel();
  const puts = await Promise.all(team.running.map((at, index) => putFor(at, `${index}`)));
  const perSecond = puts.reduce((sum, one) => sum + one, 0) / SECONDS;
  report(`objects of 1 KiB put: ${where}`, `${perSecond.toFixed(0)} /s`);
}

{
  const ip = findProgram("ip");
  await using network = ip === undefined ? undefined : await openNetwork(ip, 3);
  await using nats = await startNats(program, { nodes: 3, network });
  await patiently(() => hasLeader(nats));
  const kinds = [...ROUNDS, ...(network === undefined ? [] : NETWORK_ROUNDS)];
  const rounds = Array.from(
    { length: KILLS },
    (_, index) => kinds[(FIRST + index) % kinds.length]!,
  );
  const onRound = (round: Round, index: number): void => console.log(`round ${index}: ${round}`);
  const played = await killRounds(nats, {
    nodes: 3,
    instances: 3,
    rounds,
    network,
    paceMs: PACE_MS,
    onRound,
  });
  const { events, acknowledged } = played;
  report(
    `${KILLS} rounds: items acknowledged, events kept, lost, twice`,
    `${acknowledged}, ${events}, 0, 0`,
  );
  for (const [round, { ms, client }] of played.stalls) {
    report(`longest wait of a client: ${round}`, `${(ms / 1000).toFixed(1)} s (${client})`);
  }
}

/** Puts objects as fast as responses arrive; returns their number. */
async function putFor(at: Instance, name: string): Promise<number> {
  const endMs = performance.now() + SECONDS * 1000;
  const body = new Uint8Array(1024);
  let done = 0;
  await Promise.all(Array.from({ length: LANES }, async (_, lane) => {
    for (let n = 0; performance.now() < endMs; n++) {
      const url = objectUrl(at, `${name}/${lane}/${n}`);
      const response = await fetch(url, { method: "PUT", body });
      await response.body?.cancel();
      if (response.status !== 200) throw new Error(`status ${response.status}`);
      done++;
    }
  }));
  return done;
}
