/** Clients that upload to instances with one file tree, while parts of these fail. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { within } from "../../core/net/within.ts";
import { runOk } from "./clients.ts";
import { isSame, noise, scratch, until } from "./files.ts";
import { FtpClient } from "./ftp.ts";
import type { Instance, Team } from "./nats_team.ts";
import { NfsClient } from "./nfs.ts";

/** Longest time until another instance writes, in milliseconds; the last has some for a busy machine. */
export const TAKE_OVER_MS = 15_000;

const TRUST = [
  ...["-F", "none", "-o", "StrictHostKeyChecking=no", "-o", "UserKnownHostsFile=/dev/null"],
  ...["-o", "LogLevel=ERROR", "-o", "IdentityAgent=none", "-o", "ConnectTimeout=10"],
];

/** Index of the instance that writes the tree; `except` does not answer. */
export async function writerOf(
  team: Team,
  { except }: { except?: Instance } = {},
): Promise<number> {
  for (const [index, one] of team.instances.entries()) {
    if (one === undefined || one === except) continue;
    const response = await fetch(`${one.program.urls.api}/api/v1/ready`);
    const { writers } = await response.json() as { writers: { plugin: string; at: string }[] };
    if (writers.some(({ plugin, at }) => plugin === "files" && at === "here")) return index;
  }
  return -1;
}

/** Uploads one file over a connection of its own; resolves once it was acknowledged. */
export type Put = (at: Instance, upload: Upload) => Promise<void>;

interface Upload {
  readonly path: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Holds the bytes, for programs. */
  readonly file: string;
}

/** A client of each protocol, by its name. */
export const PUTS = {
  async ftp(at, { path, bytes }) {
    await using client = await FtpClient.open(at);
    assertMatch(await client.put(`STOR ${path}`, bytes), /^226 /);
  },
  async sftp(at, { path, file }) {
    const port = String(at.endpoint("sftp").port);
    await runOk("sftp", ["-b", "-", "-P", port, ...TRUST, "ada@127.0.0.1"], {
      stdin: `put ${file} ${path}\n`,
    });
  },
  async "nfs-cp"(at, { path, bytes, file }) {
    const { port } = at.endpoint("nfs");
    // Where it reconnects, it does not compare the verifiers that say which of its bytes are lost (RFC 1813, 3.3.21).
    const options = `version=3&nfsport=${port}&mountport=${port}&autoreconnect=0`;
    await runOk("nfs-cp", [file, `nfs://127.0.0.1/${path}?${options}`]);
    // It ignores whether its COMMIT succeeded (free_file_context in utils/nfs-cp.c of libnfs), so this asks again.
    await using client = await NfsClient.open(at);
    const node = await client.lookup(await client.mount(), path.slice(1));
    await client.commit(node);
    assertEquals((await client.getattr(node)).size, bytes.length);
  },
} satisfies Readonly<Record<string, Put>>;

/** Uploads numbered files one after another; the next instance when one refuses. */
export class Uploader {
  readonly acknowledged = new Map<string, Uint8Array>();
  readonly #team: Team;
  readonly #name: string;
  readonly #put: Put;
  readonly #done: Promise<void>;
  /** What is still on its way, or waits for an instance that is gone. */
  readonly #sending = new Set<Promise<void>>();
  #isStopped = false;

  constructor(team: Team, name: string, put: Put = PUTS.ftp) {
    this.#team = team;
    this.#name = name;
    this.#put = put;
    this.#done = this.#run();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#done;
    await Promise.allSettled(this.#sending);
  }

  /** Waits until some more are acknowledged. */
  async more(count: number): Promise<void> {
    const goal = this.acknowledged.size + count;
    await until(() => this.acknowledged.size >= goal, 60_000);
  }

  async #run(): Promise<void> {
    await using folder = await scratch();
    for (let n = 0; !this.#isStopped; n++) {
      const bytes = noise(n % 5 === 0 ? 400_000 : 3000, n + 1);
      const path = `/${this.#name}-${n}`;
      const file = `${folder.path}/${n}`;
      await Deno.writeFile(file, bytes);
      const { running } = this.#team;
      const at = running[n % running.length]!;
      try {
        const sending = this.#put(at, { path, bytes, file });
        this.#sending.add(sending);
        sending.catch(() => {}).finally(() => this.#sending.delete(sending));
        await deadline(sending, at.gone.promise);
        this.acknowledged.set(path, bytes);
      } catch {
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    }
  }
}

async function deadline(sending: Promise<void>, gone: Promise<void>): Promise<void> {
  const over = gone.then(() => Promise.reject(new Error("The instance is gone")));
  over.catch(() => {});
  await within(Promise.race([sending, over]), 15_000, "No answer");
}

/** Asserts that an instance shows every acknowledged file, byte for byte, and its upload once. */
export async function assertAllThere(at: Instance, uploaders: readonly Uploader[]): Promise<void> {
  const base = `${at.program.urls.api}/api/v1`;
  // A file of a writer that was killed is an upload once the next one finds it quiet.
  const paths = new Set(uploaders.flatMap(({ acknowledged }) => [...acknowledged.keys()]));
  let items: readonly { payload: { path: string; operation: string } }[] = [];
  let missing = paths;
  try {
    await until(async () => {
      const response = await fetch(`${base}/events?plugin=files&limit=0`);
      items = await response.json();
      missing = paths.difference(new Set(items.map(({ payload: { path } }) => path)));
      return missing.size === 0;
    }, 15_000);
  } catch {
    throw new Error(`No upload of ${[...missing].join(", ")}`);
  }
  for (const { acknowledged } of uploaders) {
    assert(acknowledged.size > 0);
    for (const [path, bytes] of acknowledged) {
      const response = await fetch(`${base}/files/content${path}`);
      assertEquals(response.status, 200, path);
      assert(isSame(await response.bytes(), bytes), path);
      const uploads = items.filter(({ payload }) => payload.path === path);
      assertEquals(uploads.map(({ payload }) => payload.operation), ["upload"], path);
    }
  }
}
