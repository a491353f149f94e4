/**
 * Instances on NATS: captures and puts per second, alone and together, then rounds of `kill -9`, in
 * which nothing acknowledged may be lost. `NATS_KILL_ROUNDS=200` for more than 20.
 */
import { buildNats, startNats } from "../support/nats.ts";
import { killRounds, ROUNDS } from "../support/nats_rounds.ts";
import { hasLeader, type Instance, objectUrl, patiently, Team } from "../support/nats_team.ts";
import { load, mail2Load, report } from "./measure.ts";

const SECONDS = 5;
const CONNECTIONS = 64;
/** Clients of the object store for each instance. */
const LANES = 32;
const KILLS = Number(Deno.env.get("NATS_KILL_ROUNDS") ?? 20);

const program = await buildNats();
for (const [nodes, count] of [[1, 1], [1, 3], [3, 1], [3, 3]] as const) {
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
  await using nats = await startNats(program, { nodes: 3 });
  await patiently(() => hasLeader(nats));
  const rounds = Array.from({ length: KILLS }, (_, index) => ROUNDS[index % ROUNDS.length]!);
  const events = await killRounds(nats, { nodes: 3, instances: 3, rounds });
  report(`kill -9, ${KILLS} rounds: events kept, lost`, `${events}, 0`);
}

/** Puts objects as fast as answers arrive; returns their number. */
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
