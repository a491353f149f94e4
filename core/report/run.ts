/** A run for a report: captured events, expectations, and findings of the checks. */
import { ApiError } from "../errors.ts";
import type { BlobRef, BlobStore } from "../blobs/blob.ts";
import { readBundle } from "../bundle/read.ts";
import { type CheckLevel, type Finding, isAtLeast } from "../checks/check.ts";
import { offlineContexts } from "../checks/offline.ts";
import { CheckRunner } from "../checks/runner.ts";
import type { CapturedEvent } from "../events/event.ts";
import { type ExpectationRecord, fitting, isOf } from "../expect/history.ts";
import type { Logger } from "../log.ts";
import type { AnyPlugin } from "../plugin.ts";
import { shownProvider } from "../provider_names.ts";

/** An event with its findings. */
export interface ReportedEvent {
  readonly event: Omit<CapturedEvent, "seq">;
  /** Such as `SendGrid (mail2)`. */
  readonly provider: string;
  /** Findings at the level of the report or worse, worst first. */
  readonly findings: readonly Finding[];
}

/** A run. */
export interface ReportedRun {
  /** Name of the instance, if it has one. */
  readonly instance?: string;
  /** When it was exported, RFC 3339. */
  readonly exportedAt: string;
  /** Oldest first. */
  readonly events: readonly ReportedEvent[];
  /** Oldest first. */
  readonly expectations: readonly ExpectationRecord[];
  /** Lowest level of the findings. */
  readonly level: CheckLevel;
  readonly blobs: BlobStore;
}

/** Options of a report. */
export interface RunOptions {
  readonly plugins: readonly AnyPlugin[];
  /** An empty store for the bytes of attachments and files. */
  readonly blobs: BlobStore & { restore(ref: BlobRef, bytes: Uint8Array): void };
  readonly log: Logger;
  readonly level: CheckLevel;
  /** Only events of this plugin. */
  readonly plugin?: string | undefined;
  /** Only events of this namespace. */
  readonly namespace?: string | undefined;
}

/** Maximum memory of a bundle, in bytes: its files, unpacked, and what is parsed. */
const MAX_RUN_BYTES = 1_073_741_824;

/** A bundle from a machine with a different clock must be accepted. */
const END_OF_TIME = new Date(8_640_000_000_000_000);

/**
 * Reads a bundle and runs the checks. Rejects with `ApiError` for a file that is not a complete
 * bundle.
 */
export async function readRun(bundle: Uint8Array, options: RunOptions): Promise<ReportedRun> {
  const { blobs, plugins, plugin, namespace, level, log } = options;
  let events: readonly Omit<CapturedEvent, "seq">[] = [];
  let expectations: readonly ExpectationRecord[] = [];
  let manifest: Readonly<Record<string, unknown>> = {};
  await readBundle(bundle, {
    blobs,
    plugins,
    room: checkRoom,
    waste: () => undefined,
    now: () => END_OF_TIME,
    has: () => false,
    describe: (about) => manifest = about,
    keepBlob: (ref, bytes) => blobs.restore(ref, bytes),
    keepEvents: (read) => (events = read).length,
    keepExpectations: (read) => expectations = read,
  });
  const chosen = events.filter((event) =>
    (plugin === undefined || event.plugin === plugin) &&
    (namespace === undefined || event.namespace === namespace)
  ).map(withoutMark);
  const checks = new CheckRunner({ plugins, contextOf: offlineContexts(plugins, blobs), log });
  const reported: ReportedEvent[] = [];
  for (const event of chosen) {
    const findings = await checks.findings({ ...event, seq: reported.length });
    reported.push({
      event,
      provider: providerOf(event, plugins),
      findings: findings.filter((one) => isAtLeast(one.level, level)),
    });
  }
  const { instance, exported_at: exportedAt } = manifest;
  const ran = expectations.filter((record) => isOf(record, { plugin, namespace }));
  return {
    ...(typeof instance === "string" ? { instance } : {}),
    exportedAt: typeof exportedAt === "string" ? exportedAt : "",
    events: reported,
    expectations: fitting(ran),
    level,
    blobs,
  };
}

/** A file from somebody else must not take all memory of the machine. */
function checkRoom(bytes: number): undefined {
  if (bytes <= MAX_RUN_BYTES) return undefined;
  throw new ApiError(
    413,
    `Cannot read the bundle: it takes more than ${MAX_RUN_BYTES} bytes of memory`,
  );
}

/** Removed, because the bundle is only read, not imported. */
function withoutMark(event: Omit<CapturedEvent, "seq">): Omit<CapturedEvent, "seq"> {
  const { imported: _imported, ...meta } = event.meta;
  return { ...event, meta };
}

function providerOf(
  event: Pick<CapturedEvent, "plugin" | "provider">,
  plugins: readonly AnyPlugin[],
): string {
  const provider = plugins.find(({ id }) => id === event.plugin)?.providers
    .find(({ id }) => id === event.provider);
  return provider === undefined ? event.provider : shownProvider(provider);
}

/** Counts of a run. */
export interface RunCounts {
  readonly events: number;
  readonly expectations: number;
  readonly unmet: number;
  readonly findings: Readonly<Record<CheckLevel, number>>;
}

/** Counts the events, expectations and findings of a run. */
export function countsOf({ events, expectations }: ReportedRun): RunCounts {
  const findings = { error: 0, warning: 0, info: 0 };
  for (const { level } of events.flatMap((one) => one.findings)) findings[level]++;
  return {
    events: events.length,
    expectations: expectations.length,
    unmet: expectations.filter(({ met }) => !met).length,
    findings,
  };
}
