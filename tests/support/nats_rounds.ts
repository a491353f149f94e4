/** Rounds in which a part of a team is killed and restarted. */
import type { Nats } from "./nats.ts";
import { SENDERS } from "./event_senders.ts";
import { Client, Counter, Follower, leaderOf, more, Team, verifyTeam } from "./nats_team.ts";

/** Target of a round. */
export type Round = "server" | "leader" | "leader of the objects" | "instance" | "all servers";

/** Every kind of round on a cluster. */
export const ROUNDS: readonly Round[] = [
  "server",
  "leader",
  "leader of the objects",
  "instance",
  "all servers",
];

/** Options of the rounds. */
export interface RoundOptions {
  readonly nodes: 1 | 3;
  readonly instances: number;
  readonly rounds: readonly Round[];
}

/**
 * Kills and restarts the targets while clients send; asserts that nothing acknowledged is lost.
 * Returns the number of events.
 */
export async function killRounds(
  nats: Nats,
  { nodes, instances, rounds }: RoundOptions,
): Promise<number> {
  await using team = await Team.start(nats, { count: instances, replicas: nodes });
  const [first] = team.running;
  const clients = Object.keys(SENDERS).map((name, turn) => new Client(team, { name, turn }));
  const counters = Array.from({ length: 3 }, (_, turn) => new Counter(team, turn));
  await more(clients);
  const response = await fetch(`${first!.program.urls.api}/api/v1/events?limit=1`);
  const [{ id }] = await response.json();
  const follower = new Follower(team, id);
  for (const [index, round] of rounds.entries()) {
    await play(round, { nats, nodes, team, index });
    await more(clients);
  }
  await Promise.all([...clients, ...counters].map((one) => one.stop()));
  return await verifyTeam(team, { clients, counters, follower });
}

async function play(
  round: Round,
  { nats, nodes, team, index }: { nats: Nats; nodes: number; team: Team; index: number },
): Promise<void> {
  switch (round) {
    case "instance": {
      const one = index % team.instances.length;
      await team.kill(one);
      return await team.startOne(one);
    }
    case "all servers": {
      const all = Array.from({ length: nodes }, (_, node) => node);
      await Promise.all(all.map((node) => nats.stop(node, "SIGKILL")));
      await Promise.all(all.map((node) => nats.start(node)));
      return;
    }
    default: {
      const node = await nodeOf(round, nats, index % nodes);
      await nats.stop(node, "SIGKILL");
      return await nats.start(node);
    }
  }
}

async function nodeOf(round: Round, nats: Nats, other: number): Promise<number> {
  if (round === "server") return other;
  const stream = round === "leader" ? "standin-events" : "standin-s3";
  const leader = await leaderOf(nats, stream);
  // The leader is being elected.
  return Number.isNaN(leader) ? other : leader;
}
