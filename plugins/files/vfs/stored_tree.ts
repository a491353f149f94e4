import type { BlobStore } from "../../../core/blobs/blob.ts";
import type { SharedView } from "../../../core/shared_state.ts";
import { type NodeRow, ROOT_ID } from "./node.ts";
import type { PendingRow } from "./pending.ts";
import { readStep, type TreeStep } from "./steps.ts";
import { placeRows } from "./store.ts";
import { Tree } from "./tree.ts";

/** The tree in NATS: each instance applies the same changes in the same order. */
export class StoredTree implements SharedView<TreeStep> {
  readonly what = "the file tree";
  readonly #blobs: BlobStore;
  readonly #nowMs: number;
  readonly #rows = new Map<number, NodeRow>();
  readonly #promised = new Map<number, PendingRow>();
  /** Number of rows that name a blob. */
  readonly #names = new Map<string, number>();
  #instance: string | undefined;
  #term = "";
  #lastId = ROOT_ID;
  #places = 0;
  /** The tree to show, until the next change. */
  #shown: Tree | undefined;

  constructor(blobs: BlobStore, nowMs: number) {
    this.#blobs = blobs;
    this.#nowMs = nowMs;
  }

  /** Identifies the tree; `undefined` before its first step. */
  get instance(): string | undefined {
    return this.#instance;
  }

  /** Name of the last writer. */
  get term(): string {
    return this.#term;
  }

  /** The highest id that was given. */
  get lastId(): number {
    return this.#lastId;
  }

  /** All files and directories. */
  get rows(): readonly NodeRow[] {
    return [...this.#rows.values()];
  }

  /** Files that are not in the tree yet. */
  get promised(): readonly PendingRow[] {
    return [...this.#promised.values()];
  }

  /** Whether a file, or a promised file, has these bytes. */
  names(blob: string): boolean {
    return this.#names.has(blob);
  }

  /** The tree, for readers only. */
  get shown(): Tree {
    if (this.#shown !== undefined) return this.#shown;
    const tree = new Tree({ journal: { commit() {} }, nowMs: this.#nowMs });
    placeRows(tree, this.rows);
    return this.#shown = tree;
  }

  apply(steps: readonly TreeStep[], { own }: { readonly own: boolean }): void {
    this.#shown = undefined;
    const freed = new Set<string>();
    for (const step of steps) this.#apply(step, freed);
    for (const blob of freed) {
      if (this.#names.has(blob)) continue;
      // The instance whose change drops the last name removes the bytes.
      if (own) void this.#blobs.remove(blob);
      else this.#blobs.release(blob);
    }
  }

  forget(): void {
    for (const blob of this.#names.keys()) this.#blobs.release(blob);
    this.#names.clear();
    this.#rows.clear();
    this.#promised.clear();
    this.#instance = undefined;
    this.#term = "";
    this.#lastId = ROOT_ID;
    this.#shown = undefined;
  }

  *changes(): Generator<TreeStep> {
    if (this.#instance !== undefined) yield { kind: "tree", instance: this.#instance };
    yield { kind: "ids", last: this.#lastId };
    yield { kind: "writer", term: this.#term };
    for (const row of this.#rows.values()) yield { kind: "put", row };
    for (const row of this.#promised.values()) yield { kind: "promise", row };
  }

  /** The writer makes changes from its own memory, in order: they can share a message with any others. */
  placeOf({ kind }: TreeStep): string | undefined {
    return kind === "writer" || kind === "tree" ? undefined : String(this.#places++);
  }

  encode(step: TreeStep): unknown {
    return step;
  }

  decode(value: unknown): TreeStep {
    return readStep(value);
  }

  #apply(step: TreeStep, freed: Set<string>): void {
    switch (step.kind) {
      case "tree":
        this.#instance ??= step.instance;
        return;
      case "writer":
        this.#term = step.term;
        return;
      case "ids":
        this.#lastId = Math.max(this.#lastId, step.last);
        return;
      case "put":
        return this.#put(this.#rows, step.row, freed);
      case "drop":
        return this.#drop(this.#rows, step.id, freed);
      case "promise":
        return this.#put(this.#promised, step.row, freed);
      case "keep":
        return this.#drop(this.#promised, step.id, freed);
    }
  }

  #put<R extends NodeRow | PendingRow>(rows: Map<number, R>, row: R, freed: Set<string>): void {
    const { id, blob, size, name, contentType } = row;
    this.#lastId = Math.max(this.#lastId, id);
    const before = rows.get(id);
    rows.set(id, row);
    if (blob !== "") {
      this.#names.set(blob, (this.#names.get(blob) ?? 0) + 1);
      this.#blobs.adopt?.({ id: blob, size, content_type: contentType, filename: name });
    }
    this.#unname(before?.blob, freed);
  }

  #drop(rows: Map<number, NodeRow | PendingRow>, id: number, freed: Set<string>): void {
    const before = rows.get(id);
    rows.delete(id);
    this.#unname(before?.blob, freed);
  }

  #unname(blob: string | undefined, freed: Set<string>): void {
    if (blob === undefined || blob === "") return;
    const left = (this.#names.get(blob) ?? 1) - 1;
    if (left > 0) return void this.#names.set(blob, left);
    this.#names.delete(blob);
    freed.add(blob);
  }
}
