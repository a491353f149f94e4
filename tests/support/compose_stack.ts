/** The compose file of docs/team.md, with a network namespace for each service instead of a container. */
import { Buffer } from "node:buffer";
import { createSocket, type Socket } from "node:dgram";
import { parse as parseYaml } from "npm:yaml@2.9.1";
import type { Network } from "./netns.ts";
import { type Block, readBlocks } from "./pages.ts";
import { startProgram } from "./program.ts";

const MAIN = new URL("../../main.ts", import.meta.url).pathname;
const CONFIG = new URL("../../deno.json", import.meta.url).pathname;
/** What the image sets (scripts/release/Dockerfile); the file replaces the ports. */
const IMAGE = { SERVICE_BIND: "0.0.0.0" };

interface Service {
  readonly image: string;
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string | number>>;
  readonly configs?: readonly { readonly source: string; readonly target: string }[];
  readonly ports?: readonly string[];
}

/** The parts of a compose file that are used. */
export interface Compose {
  readonly configs: Readonly<Record<string, { readonly content: string }>>;
  readonly services: Readonly<Record<string, Service>>;
}

/** Reads the file from its page. */
export async function readCompose(): Promise<Compose> {
  const blocks = await readBlocks();
  const isIt = ({ page, heading }: Block) => page === "docs/team.md" && heading === "Compose";
  return parseYaml(blocks.find(isIt)!.code, { merge: true });
}

/** Options of the services. */
export interface StackOptions {
  readonly folder: string;
  /** With a host for each service, and one that is free. */
  readonly network: Network;
  /** Paths of programs by the image that has them. */
  readonly programs: Readonly<Record<string, string>>;
}

/** The services of the file, each on a host of a network. */
export class Stack implements AsyncDisposable {
  readonly #compose: Compose;
  readonly #options: StackOptions;
  readonly #hosts: Map<string, number>;
  readonly #dns: Socket;
  readonly #running = new Map<string, AsyncDisposable & { kill(): Promise<void> }>();
  #free: number;

  constructor(compose: Compose, options: StackOptions) {
    this.#compose = compose;
    this.#options = options;
    const names = Object.keys(compose.services);
    this.#hosts = new Map(names.map((name, host) => [name, host]));
    this.#free = names.length;
    this.#dns = serveNames(
      options.network.machine,
      (name) => this.#hosts.has(name) ? this.address(name) : undefined,
    );
  }

  /** Address of a service. */
  address(name: string): string {
    return this.#options.network.addresses[this.#hosts.get(name)!]!;
  }

  /** The next start of a service is on the free host, as a new container may have another address. */
  move(name: string): void {
    const host = this.#hosts.get(name)!;
    this.#hosts.set(name, this.#free);
    this.#free = host;
  }

  /** Starts a service. */
  async start(name: string): Promise<void> {
    const { folder, network, programs } = this.#options;
    const { image, environment, configs, command } = this.#compose.services[name]!;
    const names = `${folder}/resolv.conf`;
    await Deno.writeTextFile(names, `nameserver ${network.machine}\n`);
    const inside = [
      ...network.on(this.#hosts.get(name)!),
      ...["unshare", "--mount", "sh", "-c"],
      ...[`mount --bind ${names} /etc/resolv.conf && exec "$@"`, "sh"],
    ];
    const [program = ""] = image.split(":");
    if (program === "standin") {
      return void this.#running.set(name, await startInstance(inside, { ...environment }));
    }
    const [config] = configs!;
    const file = `${folder}/${name}.conf`;
    // A dollar sign is written twice (https://docs.docker.com/reference/compose-file/interpolation/).
    const text = this.#compose.configs[config!.source]!.content.replaceAll("$$", "$");
    await Deno.writeTextFile(file, text.replaceAll(" /data", ` ${folder}/${name}`));
    const args = (command ?? ["-db", "-f", config!.target])
      .map((word) => word === config!.target ? file : word);
    const words = [...inside, programs[program]!, ...args];
    this.#running.set(name, startProcess(words, { HOSTNAME: name }));
  }

  /** Ends a service, with SIGKILL. */
  async kill(name: string): Promise<void> {
    await this.#running.get(name)?.kill();
    this.#running.delete(name);
  }

  /** Ends a service in its own time. */
  async stop(name: string): Promise<void> {
    await this.#running.get(name)?.[Symbol.asyncDispose]();
    this.#running.delete(name);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const name of [...this.#running.keys()].toReversed()) await this.stop(name);
    this.#dns.close();
  }
}

async function startInstance(
  inside: readonly string[],
  environment: Readonly<Record<string, string | number>>,
): Promise<AsyncDisposable & { kill(): Promise<void> }> {
  const [compiled = "", ...prefix] = inside;
  const run = ["run", "--quiet", "--no-check", "--allow-all", "--no-lock", "--config", CONFIG];
  const env = Object.entries({ ...IMAGE, ...environment });
  const program = await startProgram({
    compiled,
    args: [...prefix, Deno.execPath(), ...run, MAIN, "serve"],
    env: Object.fromEntries(env.map(([key, value]) => [key, String(value)])),
  });
  return {
    kill: async () => void await program.stop("SIGKILL"),
    [Symbol.asyncDispose]: async () => void await program.stop(),
  };
}

function startProcess(
  [command = "", ...args]: readonly string[],
  env: Readonly<Record<string, string>>,
): AsyncDisposable & { kill(): Promise<void> } {
  const options = { args, env, stdin: "null", stdout: "null", stderr: "null" } as const;
  const child = new Deno.Command(command, options).spawn();
  const end = async (signal: Deno.Signal): Promise<void> => {
    child.kill(signal);
    await child.status;
  };
  return { kill: () => end("SIGKILL"), [Symbol.asyncDispose]: () => end("SIGTERM") };
}

const [HEADER_BYTES, TYPE_A] = [12, 1];

/** Answers questions for addresses (RFC 1035), as the name server of a container network does. */
function serveNames(hostname: string, find: (name: string) => string | undefined): Socket {
  const socket = createSocket("udp4");
  socket.on("message", (query, { address, port }) => {
    const labels: string[] = [];
    let at = HEADER_BYTES;
    for (let length; (length = query[at]!) > 0; at += 1 + length) {
      labels.push(query.subarray(at + 1, at + 1 + length).toString("latin1"));
    }
    const type = query.readUInt16BE(at + 1);
    const question = query.subarray(HEADER_BYTES, at + 5);
    const found = find(labels.join("."));
    const isAnswered = found !== undefined && type === TYPE_A;
    const header = new Uint8Array(HEADER_BYTES);
    const view = new DataView(header.buffer);
    view.setUint16(0, query.readUInt16BE(0));
    // A response, with recursion; of an unknown name, NXDOMAIN.
    view.setUint16(2, found === undefined ? 0x8183 : 0x8180);
    view.setUint16(4, 1);
    view.setUint16(6, isAnswered ? 1 : 0);
    // The name of the question, its type and class, valid for one second.
    const record = Uint8Array.of(0xc0, HEADER_BYTES, 0, TYPE_A, 0, 1, 0, 0, 0, 1, 0, 4);
    const parts = [header, question, ...isAnswered ? [record, toBytes(found)] : []];
    socket.send(Buffer.concat(parts), port, address);
  });
  socket.bind(53, hostname);
  return socket;
}

function toBytes(address: string): Uint8Array {
  return Uint8Array.from(address.split("."), Number);
}
