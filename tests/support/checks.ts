import { CheckRunner } from "../../core/checks/runner.ts";
import type { Finding } from "../../core/checks/model.ts";
import { createLogger } from "../../core/log.ts";
import type {
  AnyPlugin,
  BlobStore,
  CapturedEvent,
  PluginChecks,
  RawRecord,
} from "../../core/plugin.ts";
import { withoutOutside } from "./offline.ts";

/** An item to check; omitted fields have defaults. */
export interface CheckedItem {
  readonly provider?: string;
  readonly type?: string;
  readonly payload: unknown;
  readonly meta?: Readonly<Record<string, unknown>>;
  readonly raw?: Partial<Omit<RawRecord, "body">> & { readonly body?: string | Uint8Array };
  /** Settings of its plugin. */
  readonly values?: Readonly<Record<string, unknown>>;
  /** State of its plugin. */
  readonly state?: unknown;
}

/** Time of every check in a test. */
export const CHECKED_AT = new Date("2026-01-31T12:00:00Z");

/** Blobs by id. */
type Blobs = Readonly<Record<string, Uint8Array<ArrayBuffer>>>;

/** Findings of one item, without sockets. Fails if a check throws. */
export async function findingsOf(
  checks: PluginChecks,
  item: CheckedItem,
  blobs: Blobs = {},
): Promise<readonly Finding[]> {
  const log: string[] = [];
  const connects: string[] = [];
  const runner = new CheckRunner({
    plugins: [{ id: "toy", checks: () => Promise.resolve(checks) } as unknown as AnyPlugin],
    contextOf: () => ({
      blobs: storeOf(blobs),
      now: () => CHECKED_AT,
      values: item.values ?? {},
      state: item.state,
      connect: (option) => {
        connects.push(option);
        return Promise.reject(new Error("No check may connect here"));
      },
    }),
    log: createLogger({ level: "warn", write: (line) => log.push(line), now: () => CHECKED_AT }),
  });
  const found = await runner.findings(toEvent(item));
  if (connects.length > 0) throw new Error(`Connected to ${connects.join(", ")}`);
  if (log.length > 0) throw new Error(log.join("\n"));
  return found;
}

function toEvent(
  { provider = "toy1", type = "toy.message", payload, meta, raw }: CheckedItem,
): CapturedEvent {
  const body = raw?.body ?? "";
  return {
    id: "65bb00000000000000000000",
    seq: 1,
    plugin: "toy",
    provider,
    type,
    received_at: CHECKED_AT,
    summary: "",
    summary_parts: {},
    meta: meta ?? {},
    payload,
    raw: {
      transport: "http",
      text: true,
      ...raw,
      body: typeof body === "string" ? new TextEncoder().encode(body) : body,
    },
    blobs: [],
  };
}

function storeOf(blobs: Blobs): BlobStore {
  const open = (id: string) => {
    const bytes = blobs[id];
    if (bytes === undefined) return Promise.resolve(undefined);
    return Promise.resolve({ size: bytes.length, body: new Blob([bytes]).stream() });
  };
  return { open } as unknown as BlobStore;
}

/** A bad item of a check, and its good twin. */
export interface Twins {
  readonly bad: CheckedItem;
  readonly good: CheckedItem;
  readonly blobs?: Blobs;
  /** Part of the message of the finding. */
  readonly says?: string;
  /** The place that it marks. */
  readonly marks?: string;
}

/**
 * Tests that each check flags its bad item but not the good one, reaches nothing outside of the process meanwhile, and
 * that every declared check has a row. `covers` limits the latter to the checks of one file of tests.
 */
export function testTwins(
  checks: PluginChecks,
  rows: Readonly<Record<string, Twins>>,
  covers: (id: string) => boolean = () => true,
): void {
  for (const [name, { bad, good, blobs, says, marks }] of Object.entries(rows)) {
    const id = name.split(" ")[0]!;
    Deno.test(`${name} is found, and not in its good twin`, async () => {
      const all = await withoutOutside(() => findingsOf(checks, bad, blobs));
      const found = all.filter((one) => one.id === id);
      if (found.length === 0) throw new Error(`Nothing found by ${id}`);
      if (says !== undefined && !found.some(({ message }) => message.includes(says))) {
        throw new Error(`Expected ${JSON.stringify(says)} in ${JSON.stringify(found)}`);
      }
      if (marks !== undefined && !found.some(({ where }) => where?.marked === marks)) {
        throw new Error(`Expected the place ${JSON.stringify(marks)} in ${JSON.stringify(found)}`);
      }
      const others = await withoutOutside(() => findingsOf(checks, good, blobs));
      const wrong = others.filter((one) => one.id === id);
      if (wrong.length > 0) throw new Error(`Found in the good twin: ${JSON.stringify(wrong)}`);
    });
  }
  Deno.test("every check has a bad and a good twin", () => {
    const covered = new Set(Object.keys(rows).map((name) => name.split(" ")[0]));
    const declared = checks.topics.flatMap((topic) => topic.checks.map(({ id }) => id));
    const missing = declared.filter((id) => covers(id) && !covered.has(id));
    if (missing.length > 0) throw new Error(`Without a row: ${missing.join(", ")}`);
  });
}
