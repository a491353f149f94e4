import type { BlobStore } from "../../../core/blobs/blob.ts";
import type { Memory } from "../../../core/memory/budget.ts";
import type {
  Election,
  SharedLog,
  SharedStorage,
  Standing,
  WriterRole,
} from "../../../core/shared_state.ts";
import { VfsError } from "./errors.ts";
import type { TreeStep } from "./steps.ts";
import { StoredTree } from "./stored_tree.ts";
import { GuardedTree, Term } from "./term.ts";
import { Vfs } from "./vfs.ts";
import type { BeginWork, TreeWork } from "./work.ts";

/** Options of the shared tree. */
export interface SharedTreeOptions {
  readonly storage: SharedStorage;
  readonly blobs: BlobStore;
  readonly memory: Memory;
  now(): Date;
  /** Carries out an order of any instance. */
  answer(vfs: Vfs, question: unknown): Promise<void>;
}

/**
 * The tree that several instances share. One of them at a time writes it, and holds drafts, handles and files being
 * written in its memory; the others follow what is stored.
 */
export class SharedTree implements WriterRole {
  readonly what = "the file tree";
  readonly #options: SharedTreeOptions;
  readonly #stored: StoredTree;
  readonly #log: SharedLog<TreeStep>;
  readonly #election: Election;
  readonly #begins: BeginWork[] = [];
  /** Refuses everything: for sessions here while another instance writes. */
  readonly #closed: Vfs;
  #works: TreeWork[] = [];
  #term: Term | undefined;
  #vfs: Vfs | undefined;

  /** Reads the stored tree. Rejects with `ConfigError`. */
  static async open(options: SharedTreeOptions): Promise<SharedTree> {
    const stored = new StoredTree(options.blobs, options.now().getTime());
    const log = await options.storage.follow(stored);
    await log.change(() => ({
      changes: stored.instance === undefined ? [{ kind: "tree", instance: newInstance() }] : [],
      result: undefined,
    }));
    options.blobs.prune();
    return new SharedTree(options, { stored, log });
  }

  constructor(
    options: SharedTreeOptions,
    { stored, log }: { stored: StoredTree; log: SharedLog<TreeStep> },
  ) {
    this.#options = options;
    this.#stored = stored;
    this.#log = log;
    this.#election = options.storage.elect(this);
    const tree = new GuardedTree({
      journal: { commit: () => this.#refuse() },
      nowMs: options.now().getTime(),
      ...(stored.instance === undefined ? {} : { instance: stored.instance }),
      check: () => this.#refuse(),
    });
    const { blobs, memory } = options;
    const remote = { isUsable: false, remove: () => Promise.resolve() };
    this.#closed = new Vfs(tree, { blobs, memory, now: () => options.now(), remote });
  }

  /** The tree to work on; while another instance writes, one that refuses everything. */
  get vfs(): Vfs {
    return this.#vfs ?? this.#closed;
  }

  /** The tree to show. */
  get shown(): Pick<Vfs, "tree" | "blobs"> {
    if (this.#vfs?.isUsable === true) return this.#vfs;
    return { tree: this.#stored.shown, blobs: this.#options.blobs };
  }

  /** Calls `begin` whenever this instance becomes the writer. */
  follow(begin: BeginWork): void {
    this.#begins.push(begin);
  }

  /** Resolves once everything that any instance stored before the call is shown. */
  current(): Promise<void> {
    return this.#log.current();
  }

  /** Asks the writer to carry out an order. */
  async ask(question: unknown): Promise<void> {
    const refusal = await this.#election.ask(question);
    if (!isRefusal(refusal)) return;
    throw new VfsError(refusal.code as VfsError["code"], refusal.message);
  }

  async begin(standing: Standing): Promise<void> {
    const { blobs, memory, now } = this.#options;
    const term = crypto.randomUUID();
    await this.#log.change(() => ({ changes: [{ kind: "writer", term }], result: undefined }));
    if (!standing.isValid || this.#stored.term !== term) {
      throw new Error("another instance was faster");
    }
    const [stored, log] = [this.#stored, this.#log];
    const own = new Term({ term, standing, stored, log, nowMs: now().getTime() });
    const vfs = new Vfs(own.tree, {
      blobs,
      memory,
      now,
      pending: own.pending,
      remote: {
        get isUsable() {
          return own.isUsable;
        },
        async remove(blob) {
          await own.tree.settled();
          if (!stored.names(blob)) await blobs.remove(blob);
        },
      },
    });
    this.#term = own;
    for (const begin of this.#begins) this.#works.push(await begin(vfs));
    if (!standing.isValid) throw new Error("the lease is over");
    this.#vfs = vfs;
  }

  end(): void {
    this.#term?.end();
    this.#term = undefined;
    this.#vfs = undefined;
    for (const work of this.#works) work.abandon();
    this.#works = [];
  }

  async answer(question: unknown): Promise<unknown> {
    try {
      await this.#options.answer(this.vfs, question);
      return undefined;
    } catch (error) {
      if (!(error instanceof VfsError)) throw error;
      return { code: error.code, message: error.message };
    }
  }

  #refuse(): never {
    const { writer } = this.#election;
    if (writer === undefined || writer.isSelf) {
      throw new VfsError(
        "busy",
        "Cannot use the file tree: no instance writes it at the moment; try again",
      );
    }
    const { name, host, ports } = writer;
    const who = name === undefined ? host : `"${name}" (${host})`;
    const at = Object.entries(ports).map(([on, port]) => `${on} ${port}`).join(", ");
    throw new VfsError("elsewhere", `Cannot use the file tree here: it is at ${who}; ports: ${at}`);
  }
}

function newInstance(): string {
  return crypto.getRandomValues(new Uint8Array(8)).toHex();
}

function isRefusal(value: unknown): value is { readonly code: string; readonly message: string } {
  return typeof value === "object" && value !== null && "code" in value && "message" in value;
}
