/** Rounds in which a part of a team is killed, suspended, replaced or cut off while clients send. */
import type { Nats } from "./nats.ts";
import { SENDERS } from "./event_senders.ts";
import { until } from "./files.ts";
import { Counter, Creator } from "./nats_objects.ts";
import {
  Client,
  Follower,
  type Instance,
  isWhole,
  leaderOf,
  more,
  patiently,
  serves,
  Team,
  verifyTeam,
} from "./nats_team.ts";
import type { Network } from "./netns.ts";

/** Event of a round. */
export type Round =
  | "server"
  | "leader"
  | "leader of the objects"
  | "instance"
  | "all servers"
  | "pause"
  | "replacement"
  | "cable"
  | "cable between servers";

/** Every kind of round on a cluster. */
export const ROUNDS: readonly Round[] = [
  "server",
  "leader",
  "leader of the objects",
  "instance",
  "all servers",
  "pause",
  "replacement",
];

/** Those that need a network. */
export const NETWORK_ROUNDS: readonly Round[] = ["cable", "cable between servers"];

/** Time limit for a server that was missing to catch up, in milliseconds. */
const WHOLE_MS = 120_000;

/** Options of the rounds. */
export interface RoundOptions {
  readonly nodes: 1 | 3;
  readonly instances: number;
  readonly rounds: readonly Round[];
  /** Network of the servers, for the rounds that cut it. */
  readonly network?: Network | undefined;
  /** Pause of a client after each message, in milliseconds. */
  readonly paceMs?: number;
  /** Time for which an instance is suspended, in milliseconds. */
  readonly pauseMs?: number;
  /** Called before each round. */
  readonly onRound?: (round: Round, index: number) => void;
}

/** Figures of all rounds. */
export interface RoundFigures {
  readonly events: number;
  readonly acknowledged: number;
  /** Longest time between two responses to one client, by the kind of round in which it ended. */
  readonly stalls: ReadonlyMap<Round, { readonly ms: number; readonly client: string }>;
}

/** Runs the rounds while clients send; asserts that nothing acknowledged is lost. */
export async function killRounds(nats: Nats, options: RoundOptions): Promise<RoundFigures> {
  const { nodes, instances, rounds, paceMs = 0 } = options;
  await using team = await Team.start(nats, { count: instances, replicas: nodes });
  const [first] = team.running;
  const clients = Object.keys(SENDERS).map((name, turn) =>
    new Client(team, { name, turn, paceMs })
  );
  const race = { key: 0 };
  const objects = Array.from({ length: 3 }, (_, turn) => [
    new Counter(team, { turn, paceMs }),
    new Creator(team, { turn, paceMs, race }),
  ]).flat();
  await more(clients);
  const response = await fetch(`${first!.program.urls.api}/api/v1/events?limit=1`);
  const [{ id }] = await response.json();
  const follower = new Follower(team, id);
  const stalls = new Map<Round, { ms: number; client: string }>();
  for (const [index, round] of rounds.entries()) {
    options.onRound?.(round, index);
    for (const client of clients) client.takeLongestGap();
    await play(round, { nats, team, clients, index, options });
    await more(clients);
    // Of three servers, one at a time may be missing or behind.
    if (nodes > 1) await until(() => isWhole(nats), WHOLE_MS);
    for (const client of clients) {
      const ms = client.takeLongestGap();
      if (ms > (stalls.get(round)?.ms ?? 0)) stalls.set(round, { ms, client: client.name });
    }
  }
  await Promise.all([...clients, ...objects].map((one) => one.stop()));
  const events = await verifyTeam(team, { clients, objects, follower });
  const acknowledged = clients.reduce((sum, one) => sum + one.acknowledged.length, 0);
  return { events, acknowledged, stalls };
}

interface Scene {
  readonly nats: Nats;
  readonly team: Team;
  readonly clients: readonly Client[];
  readonly index: number;
  readonly options: RoundOptions;
}

async function play(round: Round, scene: Scene): Promise<void> {
  const { nats, team, clients, index, options: { nodes, network, pauseMs = 3000 } } = scene;
  const one = index % team.instances.length;
  switch (round) {
    case "instance":
      await team.kill(one);
      return await team.startOne(one);
    case "pause":
      return await team.pause(one, pauseMs);
    case "replacement":
      for (let turn = 0; turn < team.instances.length; turn++) await team.replace(turn);
      return;
    case "all servers": {
      const all = Array.from({ length: nodes }, (_, node) => node);
      await Promise.all(all.map((node) => nats.stop(node, "SIGKILL")));
      await Promise.all(all.map((node) => nats.start(node)));
      return;
    }
    case "cable":
    case "cable between servers": {
      if (network === undefined) throw new RangeError(`No network for the round "${round}"`);
      return await withoutCable(round, scene, network);
    }
    default: {
      const node = await nodeOf(round, nats, index % nodes);
      await nats.stop(node, "SIGKILL");
      if (nodes > 1) await more(clients);
      return await nats.start(node);
    }
  }
}

/** Every instance continues without the server, even one that was connected to it. */
async function withoutCable(
  round: "cable" | "cable between servers",
  { nats, team, clients, index, options: { nodes } }: Scene,
  network: Network,
): Promise<void> {
  if (round === "cable") {
    const node = await nodeOf("leader", nats, index % nodes);
    await network.cut(node);
    await everywhere(team, clients);
    return await network.reconnect(node);
  }
  const node = await serverOf(team.running[index % team.running.length]!, nats);
  await network.cutFromOthers(node);
  await everywhere(team, clients);
  await network.reconnect(node);
}

async function everywhere(team: Team, clients: readonly Client[]): Promise<void> {
  await Promise.all(team.running.map((at) => patiently(() => serves(at))));
  await more(clients);
}

/** Index of the server that an instance is connected to. */
async function serverOf({ program }: Instance, { servers }: Nats): Promise<number> {
  const { storage } = await (await fetch(`${program.urls.api}/api/v1/health`)).json();
  return servers.findIndex((server) => server.endsWith(storage.server));
}

async function nodeOf(round: Round, nats: Nats, other: number): Promise<number> {
  if (round === "server") return other;
  const stream = round === "leader" ? "standin-events" : "standin-s3";
  let leader = NaN;
  // Until one is elected.
  await patiently(async () => Number.isInteger(leader = await leaderOf(nats, stream)));
  return leader;
}
