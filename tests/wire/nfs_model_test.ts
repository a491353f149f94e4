/** Random file operations while files keep becoming uploads, compared with a model file system. */
import { assertEquals } from "@std/assert";
import { fc } from "../support/fast_check.ts";
import { XdrWriter } from "../../plugins/files/nfs/codec/xdr.ts";
import { content, isSame, noise, paths, startFiles, until } from "../support/files.ts";
import { fuzzed } from "../support/fuzz.ts";
import { FILE_SYNC, NfsClient, NfsRefusal, settings, UNSTABLE } from "../support/nfs.ts";

const MIB = 1024 * 1024;
const NAMES = ["a", "b", "c", "d"];

type Step =
  | { readonly do: "create" | "remove" | "read" | "commit"; readonly name: string }
  | { readonly do: "rename"; readonly name: string; readonly to: string }
  | { readonly do: "truncate"; readonly name: string; readonly size: number }
  | {
    readonly do: "write";
    readonly name: string;
    readonly at: number;
    readonly size: number;
    readonly stable: 0 | 2;
  };

const name = fc.constantFrom(...NAMES);
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constantFrom("create", "remove", "read", "commit"), name }),
  fc.record({ do: fc.constant("rename"), name, to: name }),
  fc.record({ do: fc.constant("truncate"), name, size: fc.nat(200_000) }),
  fc.record({
    do: fc.constant("write"),
    name,
    at: fc.oneof(fc.nat(200_000), fc.constantFrom(0, 65_536, 131_072, MIB)),
    size: fc.oneof(fc.nat(100_000), fc.constantFrom(65_536, 131_072, MIB)),
    stable: fc.constantFrom(UNSTABLE, FILE_SYNC),
  }),
);

/** Files by name, with their handles. */
type Model = Map<string, { readonly handle: Uint8Array; bytes: Uint8Array }>;

function resized(bytes: Uint8Array, size: number): Uint8Array {
  const after = new Uint8Array(size);
  after.set(bytes.subarray(0, size));
  return after;
}

class Session {
  readonly model: Model = new Map();
  readonly #client: NfsClient;
  readonly #root: Uint8Array;

  constructor(client: NfsClient, root: Uint8Array) {
    this.#client = client;
    this.#root = root;
  }

  async run(step: Step): Promise<void> {
    const file = this.model.get(step.name);
    if (step.do === "create") return await this.#create(step.name);
    if (step.do === "remove") return await this.#remove(step.name);
    if (step.do === "rename") return await this.#rename(step.name, step.to);
    if (file === undefined) return;
    const { handle } = file;
    if (step.do === "write") {
      const bytes = noise(step.size, step.at + 1);
      await this.#client.writeTo(handle, bytes, step);
      const after = resized(file.bytes, Math.max(file.bytes.length, step.at + step.size));
      if (step.size > 0) {
        after.set(bytes, step.at);
        file.bytes = after;
      }
    } else if (step.do === "truncate") {
      const args = settings(new XdrWriter().opaque(handle), { size: step.size });
      await this.#client.nfs("SETATTR", args.bool(false));
      file.bytes = resized(file.bytes, step.size);
    } else if (step.do === "commit") await this.#client.commit(handle);
    else await this.compare(step.name);
  }

  async compare(name: string): Promise<void> {
    const { handle, bytes } = this.model.get(name)!;
    for (let at = 0; at === 0 || at < bytes.length; at += MIB) {
      const read = await this.#client.read(handle, at, MIB);
      assertEquals(isSame(read.bytes, bytes.subarray(at, at + MIB)), true);
    }
    assertEquals((await this.#client.getattr(handle)).size, bytes.length);
    assertEquals(await this.#client.lookup(this.#root, name), handle);
  }

  async #create(name: string): Promise<void> {
    const handle = await this.#client.create(this.#root, name);
    const known = this.model.get(name);
    if (known === undefined) this.model.set(name, { handle, bytes: new Uint8Array() });
    else assertEquals(handle, known.handle);
  }

  async #remove(name: string): Promise<void> {
    const there = await this.#client.remove(this.#root, name).then(() => true, refusedAs("NOENT"));
    assertEquals(there, this.model.delete(name));
  }

  async #rename(from: string, to: string): Promise<void> {
    const there = await this.#client.rename([this.#root, from], [this.#root, to])
      .then(() => true, refusedAs("NOENT"));
    const file = this.model.get(from);
    assertEquals(there, file !== undefined);
    if (file === undefined || from === to) return;
    this.model.delete(from);
    this.model.set(to, file);
  }
}

function refusedAs(status: string): (error: unknown) => false {
  return (error) => {
    if (error instanceof NfsRefusal && error.status === status) return false;
    throw error;
  };
}

Deno.test("nfs: clients find what they wrote, whatever they do while files become uploads", async () => {
  await using service = await startFiles({ nfs: { settle_ms: 1 } });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 40 }), async (steps) => {
      await service.reset();
      // Otherwise its calls would look like retransmissions from the previous run.
      await using client = await NfsClient.open(service, { machine: crypto.randomUUID() });
      const root = await client.mount();
      const session = new Session(client, root);
      for (const step of steps) await session.run(step);
      for (const name of session.model.keys()) await session.compare(name);
      const { entries } = await client.readdir(root);
      const names = entries.map(({ name }) => name).filter((name) => !name.startsWith("."));
      assertEquals(names.toSorted(), [...session.model.keys()].toSorted());
      for (const { handle } of session.model.values()) await client.commit(handle);
      // In the end every client sees the same.
      const expected = [...session.model.keys()].map((name) => `/${name}`).toSorted();
      await until(async () => (await paths(service)).length === expected.length);
      assertEquals(await paths(service), expected);
      for (const [name, { bytes }] of session.model) {
        // Until then it may be the content of an earlier upload.
        await until(async () => isSame(await content(service, `/${name}`), bytes));
      }
      assertEquals(service.log, []);
    }),
    fuzzed(25),
  );
});
