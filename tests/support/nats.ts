/** NATS servers in separate processes, alone or as a cluster. */
import type { NatsSettings } from "../../core/options/settings.ts";
import { clientCache, requireGo, runOk } from "./clients.ts";
import { scratch, until } from "./files.ts";
import type { Network } from "./netns.ts";
import { freePorts } from "./free_port.ts";

/** Servers of NATS, with JetStream, on free ports of this machine. */
export interface Nats extends AsyncDisposable {
  /** Addresses of all servers. */
  readonly servers: readonly string[];
  /** Sends a signal to one server, and waits for its end. */
  stop(index: number, signal?: Deno.Signal): Promise<void>;
  /** Sends a signal to one server, such as SIGSTOP, and waits for nothing. */
  signal(index: number, signal: Deno.Signal): void;
  /** Restarts one server with its stored data. */
  start(index: number): Promise<void>;
}

/** Options of the servers. */
export interface NatsOptions {
  /** 1 or 3; three form a cluster. */
  readonly nodes?: 1 | 3;
  /** First lines of the configuration of each. */
  readonly config?: string;
  /** Folder of the server under `tests/clients/go/`. */
  readonly server?: "nats_server" | "nats_server_2_10";
  /** With a host for each server; all run on this machine unless given. */
  readonly network?: Network | undefined;
}

/** Starts servers; `undefined`, with a message, if the server cannot be built. */
export async function requireNats(
  t: Deno.TestContext,
  options: NatsOptions = {},
): Promise<Nats | undefined> {
  const program = await requireGo(t, options.server ?? "nats_server");
  return program === undefined ? undefined : await startNats(program, options);
}

/** Returns the path of the server, for a bench. Rejects if it cannot be built. */
export async function buildNats(): Promise<string> {
  const source = new URL("../clients/go/nats_server/", import.meta.url).pathname;
  await Deno.mkdir(clientCache(), { recursive: true });
  const program = `${clientCache()}/nats-server-of-bench`;
  const args = ["build", "-mod=readonly", "-o", program, "."];
  await runOk("go", args, { cwd: source, timeoutMs: 480_000 });
  return program;
}

/** Starts the servers. */
export async function startNats(
  program: string,
  {
    nodes = 1,
    config = `jetstream { store_dir: "FOLDER", sync_interval: always }`,
    network,
  }: NatsOptions,
): Promise<Nats> {
  await using undo = new AsyncDisposableStack();
  const folder = undo.use(await scratch());
  const ports = freePorts(nodes * 2);
  const places = ports.map((port, index) =>
    `${network?.addresses[index % nodes] ?? "127.0.0.1"}:${port}`
  );
  const [clients, routes] = [places.slice(0, nodes), places.slice(nodes)];
  const running = new Map<number, Deno.ChildProcess>();
  const stop: Nats["stop"] = async (index, signal = "SIGTERM") => {
    const child = running.get(index);
    running.delete(index);
    child?.kill(signal);
    await child?.status;
  };
  undo.defer(() => Promise.all([...running.keys()].map((index) => stop(index))).then(() => {}));
  const start = async (index: number): Promise<void> => {
    const file = `${folder.path}/${index}.conf`;
    // A server that is cut off notices that itself; the default takes it up to two minutes.
    const pings = `ping_interval: "1s", ping_max: 2`;
    const cluster = `cluster { name: tests, ${pings}, listen: "${routes[index]}", routes: [${
      routes.map((place) => `"nats://${place}"`).join(", ")
    }] }`;
    await Deno.writeTextFile(
      file,
      [
        `server_name: node${index}`,
        `listen: "${clients[index]}"`,
        config.replaceAll("FOLDER", `${folder.path}/${index}`),
        nodes === 1 ? "" : cluster,
      ].join("\n"),
    );
    const [command = program, ...args] = [
      ...network?.on(index) ?? [],
      program,
      ...["-c", file, "--log", `${folder.path}/${index}.log`],
    ];
    running.set(index, new Deno.Command(command, { args, stdin: "null" }).spawn());
    await until(() => accepts(clients[index]!));
  };
  await Promise.all(clients.map((_, index) => start(index)));
  const release = undo.move();
  return {
    servers: clients.map((place) => `nats://${place}`),
    stop,
    signal: (index, signal) => running.get(index)?.kill(signal),
    start,
    [Symbol.asyncDispose]: () => release.disposeAsync(),
  };
}

async function accepts(place: string): Promise<boolean> {
  const [hostname = "", port] = place.split(":");
  try {
    (await Deno.connect({ hostname, port: Number(port) })).close();
    return true;
  } catch {
    return false;
  }
}

/** Settings of `[storage.nats]`, by default those of the program. */
export function toNatsSettings(given: Partial<NatsSettings>): NatsSettings {
  const absent = undefined;
  return {
    servers: [],
    prefix: "tests",
    replicas: 1,
    peer_host: undefined,
    peer_port: 0,
    credentials_file: absent,
    tls_ca_file: absent,
    username: absent,
    password: absent,
    token: absent,
    ...given,
  };
}
