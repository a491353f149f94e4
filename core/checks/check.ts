/** Declarations of a plugin's checks: data about each, and pure functions over captured items. */
import type { BlobStore } from "../blobs/blob.ts";
import type { CapturedEvent } from "../events/event.ts";
import type { Transport } from "../net/transport.ts";
import type { CheckLevel, CheckPlace, Finding } from "./model.ts";

export type { CheckLevel, CheckPlace, Finding };

/** Declaration of one check. */
export interface CheckAbout {
  /** `plugin.name`, such as `mail.text_part`. */
  readonly id: string;
  /** Default level of its findings. */
  readonly level: CheckLevel;
  /** What it looks for, in one sentence. */
  readonly about: string;
  /** Address of the document it is based on. */
  readonly source?: string;
}

/** A finding of a check. */
export interface Found {
  /** Id of the check. */
  readonly id: string;
  /** What is wrong, and what would be right. */
  readonly message: string;
  /** Its place; a function is called only for findings that are kept. */
  readonly where?: CheckPlace | (() => CheckPlace);
  /** Level of this finding; by default that of the check. */
  readonly level?: CheckLevel;
  /** Document about this finding; by default that of the check. */
  readonly source?: string;
}

/** Checks of the same subject. */
export interface CheckTopic<S> {
  /** The checks. */
  readonly checks: readonly CheckAbout[];
  /** Yields findings in any order. `undefined` is a pause in long work. */
  find(subject: S): Iterable<Found | undefined>;
}

/** Parts of the service available to checks. */
export interface CheckContext {
  /** Bytes of attachments and files. */
  readonly blobs: BlobStore;
  /** Values of the plugin's own options. */
  readonly values: Readonly<Record<string, unknown>>;
  /** State of the plugin; absent while it does not run. */
  readonly state?: unknown;
  /** Time of the injected clock. */
  now(): Date;
  /**
   * Connects to the server that an option of the plugin names. Rejects if the option has none, and if it does not accept
   * in time; the signal closes the connection.
   */
  connect(
    option: string,
    limits: { readonly timeoutMs: number; readonly signal: AbortSignal },
  ): Promise<Transport>;
}

/** The checks of a plugin. */
export interface PluginChecks<S = unknown> {
  /** Reads an event once for all topics. */
  read(event: CapturedEvent, ctx: CheckContext): S | Promise<S>;
  /** Milliseconds after which the event is read again, because another program did not respond; by default never. */
  retryMs?(subject: S): number | undefined;
  /** Groups of checks. */
  readonly topics: readonly CheckTopic<S>[];
}

/** Erases the type of the subject, so that the checks of all plugins fit one list. */
export function pluginChecks<S>(checks: PluginChecks<S>): PluginChecks {
  return checks as PluginChecks;
}

/** Levels, worst first. */
export const CHECK_LEVELS: readonly CheckLevel[] = ["error", "warning", "info"];

/** Returns whether a level is `least` or worse. */
export function isAtLeast(level: CheckLevel, least: CheckLevel): boolean {
  return CHECK_LEVELS.indexOf(level) <= CHECK_LEVELS.indexOf(least);
}
