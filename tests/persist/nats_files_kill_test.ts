/** Clients of every protocol upload to one tree while instances and servers of NATS are killed. */
import { assert } from "@std/assert";
import { findProgram, skipTest } from "../support/clients.ts";
import { until } from "../support/files.ts";
import { type Nats, requireNats } from "../support/nats.ts";
import { hasLeader, isWhole, leaderOf, patiently, Team } from "../support/nats_team.ts";
import { assertAllThere, PUTS, TAKE_OVER_MS, Uploader, writerOf } from "../support/nats_tree.ts";

/** Time limit for a server that was missing to catch up, in milliseconds. */
const WHOLE_MS = 120_000;

Deno.test("another instance takes over when the one that writes the tree is killed", async (t) => {
  await using nats = await requireNats(t);
  if (nats === undefined) return;
  await using team = await Team.start(nats, { count: 3, replicas: 1 });
  const uploaders = ["a", "b"].map((name) => new Uploader(team, name));
  for (let round = 0; round < 2; round++) {
    await Promise.all(uploaders.map((one) => one.more(20)));
    await killWriter(team);
  }
  await Promise.all(uploaders.map((one) => one.more(1)));
  await Promise.all(uploaders.map((one) => one.stop()));
  for (const one of team.running) await assertAllThere(one, uploaders);
});

Deno.test("with three servers, uploads of every protocol survive the writer and the leader of its stream", async (t) => {
  await using nats = await requireNats(t, { nodes: 3 });
  if (nats === undefined) return;
  await patiently(() => hasLeader(nats));
  await using team = await Team.start(nats, { count: 3, replicas: 3 });
  const puts = Object.entries(PUTS).filter(([name]) => {
    const isThere = name === "ftp" || findProgram(name) !== undefined;
    if (!isThere) skipTest(t, name, "is not installed");
    return isThere;
  });
  const uploaders = puts.map(([name, put]) => new Uploader(team, name, put));
  const more = (): Promise<unknown> => Promise.all(uploaders.map((one) => one.more(5)));
  await more();
  await killWriter(team);
  await more();
  const leader = await killLeader(nats, "standin-files");
  await more();
  await nats.start(leader);
  await until(() => isWhole(nats), WHOLE_MS);
  await more();
  await Promise.all(uploaders.map((one) => one.stop()));
  for (const one of team.running) await assertAllThere(one, uploaders);
});

/** Kills the instance that writes, waits for another one, and starts one in its place. */
async function killWriter(team: Team): Promise<void> {
  const first = await writerOf(team);
  assert(first >= 0);
  await team.kill(first);
  await until(async () => await writerOf(team) >= 0, TAKE_OVER_MS);
  await team.startOne(first);
}

async function killLeader(nats: Nats, stream: string): Promise<number> {
  let leader = NaN;
  await patiently(async () => Number.isInteger(leader = await leaderOf(nats, stream)));
  await nats.stop(leader, "SIGKILL");
  return leader;
}
