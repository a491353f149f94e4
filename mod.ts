/**
 * Standin as a library: start a capture service inside a test, point the code under test at it, and assert on what it
 * sent.
 *
 * @example Assert on an email
 * ```ts ignore
 * import { mail, start } from "@standin/standin";
 *
 * await using standin = await start({ plugins: [mail], ports: 0 });
 * await signUp("ada@example.org", { smtpPort: standin.endpoint("smtp").port });
 * const { payload } = await standin.waitFor("mail.message");
 * ```
 *
 * @module
 */
import { compact } from "./core/compact.ts";
import type { Clock } from "./core/clock.ts";
import type { CapturedEvent } from "./core/events/event.ts";
import type { ClearOptions, ListOptions, Service, WaitOptions } from "./core/app/service.ts";
import { startCore } from "./core/app/start.ts";
import type { Expectation } from "./core/expect/expectation.ts";
import { ConfigError } from "./core/errors.ts";
import { createLogger } from "./core/log.ts";
import { quote } from "./core/options/given.ts";
import { resolveSettings } from "./core/options/resolve.ts";
import { unknownName } from "./core/options/suggest.ts";
import type { AnyPlugin } from "./core/plugin.ts";
import type {
  NoFilters,
  StandardFilters,
  StandardFiltersOf,
  StandardPayloads,
} from "./plugins/models.ts";
import { STANDARD_PLUGINS } from "./plugins/standard.ts";
import { ASSETS } from "./ui/assets.ts";

export { CallbacksOffError, ConfigError } from "./core/errors.ts";
export { TimeoutError } from "./core/app/wait.ts";
export { ExpectationError } from "./core/expect/expect.ts";
export { as2 } from "./plugins/as2/mod.ts";
export { chat } from "./plugins/chat/mod.ts";
export { files } from "./plugins/files/mod.ts";
export { hl7 } from "./plugins/hl7/mod.ts";
export { mail } from "./plugins/mail/mod.ts";
export { push } from "./plugins/push/mod.ts";
export { s3 } from "./plugins/s3/mod.ts";
export { sms } from "./plugins/sms/mod.ts";
export { snmp } from "./plugins/snmp/mod.ts";
export { webhook } from "./plugins/webhook/mod.ts";
export type { Clock } from "./core/clock.ts";
export type { BlobRef } from "./core/blobs/blob.ts";
export type {
  CapturedEvent,
  ClientCertificate,
  EventFilter,
  EventStore,
  HeaderPairs,
  Page,
  RawRecord,
  StreamItem,
  SummaryParts,
} from "./core/events/event.ts";
export type { Address, Attachment, MailMessage } from "./plugins/mail/model.ts";
export type { Segments, SmsMedia, SmsMessage } from "./plugins/sms/model.ts";
export type { SmsState } from "./plugins/sms/capture.ts";
export type {
  Author,
  ChannelRef,
  ChatChange,
  ChatFile,
  ChatMessage,
  Content,
} from "./plugins/chat/model.ts";
export type { ChatState } from "./plugins/chat/capture.ts";
export type {
  PushAlert,
  PushDelivery,
  PushExpiry,
  PushKind,
  PushLocalization,
  PushMessage,
  PushPayload,
  PushPayloadFormat,
  PushPriority,
  PushTarget,
  PushTargetKind,
  PushTargetSource,
} from "./plugins/push/model.ts";
export type { FileOperation } from "./plugins/files/model.ts";
export type { SnmpTrap, SnmpV1, SnmpV2, SnmpV3, SnmpVarbind } from "./plugins/snmp/model.ts";
export type {
  Ack as Hl7Ack,
  AckCode as Hl7AckCode,
  Batch as Hl7Batch,
  Component as Hl7Component,
  Field as Hl7Field,
  Header as Hl7Header,
  Hl7Message,
  Issue as Hl7Issue,
  Repetition as Hl7Repetition,
  Segment as Hl7Segment,
  Separators as Hl7Separators,
} from "./plugins/hl7/model.ts";
export type {
  As2Message,
  CertInfo as As2CertInfo,
  CompressionInfo as As2CompressionInfo,
  Encryption as As2Encryption,
  Issue as As2Issue,
  Layer as As2Layer,
  LayerKind as As2LayerKind,
  MdnRecord as As2MdnRecord,
  Mic as As2Mic,
  MicCoverage as As2MicCoverage,
  Payload as As2Payload,
  ReceiptRequest as As2ReceiptRequest,
  RecipientInfo as As2RecipientInfo,
  Security as As2Security,
  Severity as As2Severity,
  Signature as As2Signature,
} from "./plugins/as2/model.ts";
export type {
  NoFilters,
  StandardFilters,
  StandardFiltersOf,
  StandardPayloads,
} from "./plugins/models.ts";
export type { MailFilter } from "./plugins/mail/filters.ts";
export type { SmsFilter } from "./plugins/sms/filters.ts";
export type { ChatFilter } from "./plugins/chat/filters.ts";
export type { PushFilter } from "./plugins/push/filters.ts";
export type { Hl7Filter } from "./plugins/hl7/filters.ts";
export type { As2Filter } from "./plugins/as2/filters.ts";
export type { WebhookFilter } from "./plugins/webhook/filters.ts";
export type { WebhookPart, WebhookRequest } from "./plugins/webhook/model.ts";
export type {
  Encryption as S3Encryption,
  Retention as S3Retention,
  S3Operation,
} from "./plugins/s3/model.ts";
export type { AnyPlugin, Endpoint } from "./core/plugin.ts";
export type { RejectedFilter, RejectedJournal } from "./core/events/journal.ts";
export type {
  AddedFault,
  CallWait,
  ClearOptions,
  ListOptions,
  Service,
  StoryOptions,
  WaitOptions,
} from "./core/app/service.ts";
export type { CallAttempt, CallRecord, CallState, SentCalls } from "./core/callbacks/model.ts";
export type { FaultRule } from "./core/faults/model.ts";
export type { CheckLevel, CheckPlace, Finding } from "./core/checks/model.ts";
export type { Condition, Operators } from "./core/expect/condition.ts";
export type { Verdict } from "./core/expect/expect.ts";
export type { CountRange, Expectation } from "./core/expect/expectation.ts";
export type { FieldReport, NearMiss } from "./core/expect/near_miss.ts";
export type { EventPattern } from "./core/expect/pattern.ts";
export type { StoryLink } from "./core/stories/story.ts";
export type { StoryView as ToldStory } from "./core/stories/view.ts";
export type { Extract } from "./core/extract/extract.ts";
export type { TextFilter } from "./core/extract/load.ts";

/** Options of `start`. */
export interface StartOptions {
  /** Plugins to install; by default every standard plugin. */
  readonly plugins?: readonly AnyPlugin[];
  /** Ids of the providers to run, such as `["smtp"]`; by default all. */
  readonly providers?: readonly string[];
  /** `0`: a free port for every listener, which suits tests. By default the port of each option. */
  readonly ports?: 0;
  /**
   * Settings as in the configuration file, checked by the same code. Without `log_level`, warnings and errors are
   * logged.
   */
  readonly config?: Readonly<Record<string, unknown>>;
  /** Folder that keeps files and buckets across restarts; by default they stay in memory. */
  readonly persist?: string;
  /**
   * Where events are stored: in memory by default, in the folder of `persist`, or in NATS, as set by `storage.nats` of
   * `config`. With NATS, await `events.settled()` before `list()`, so that it includes what other instances
   * acknowledged.
   */
  readonly events?: "memory" | "filesystem" | "nats";
  /** Source of time; by default the machine's clock. */
  readonly clock?: Clock;
  /**
   * Any text, which determines all ids; the ports of senders are left out. With a fixed `clock` and fixed ports, the
   * same requests get the same responses and lists, byte for byte. Not with `persist`.
   */
  readonly seed?: string;
}

/** A running service, with the payload types of the standard plugins. */
export interface Standin extends Omit<Service, "waitFor" | "expect" | "list" | "clear"> {
  /**
   * Resolves with the oldest held event that matches, or the next to arrive. The options include the filters of its
   * plugin, such as `subject`. Rejects with a `TimeoutError` that lists what did arrive, and with a `RangeError` for an
   * unknown option.
   */
  waitFor<T extends keyof StandardPayloads>(
    type: T,
    options?: WaitOptions<StandardPayloads[T]> & StandardFiltersOf<T>,
  ): Promise<CapturedEvent<StandardPayloads[T]>>;
  /** The same for events of other plugins; `F` has their filters. */
  waitFor<P = unknown, F extends object = NoFilters>(
    type: string,
    options?: WaitOptions<P> & NoInfer<F>,
  ): Promise<CapturedEvent<P>>;
  /**
   * Resolves with the matching events, in order of capture, as soon as the expectation is met. Rejects with an
   * `ExpectationError` that compares it with the closest event.
   */
  expect<T extends keyof StandardPayloads>(
    type: T,
    expectation?: Omit<Expectation, "type" | "order"> & StandardFiltersOf<T>,
  ): Promise<CapturedEvent<StandardPayloads[T]>[]>;
  /** Waits for events of other plugins. */
  expect<P = unknown, F extends object = NoFilters>(
    type: string,
    expectation?: Omit<Expectation, "type" | "order"> & NoInfer<F>,
  ): Promise<CapturedEvent<P>[]>;
  /** Waits for an expectation that includes the type. */
  expect<T extends keyof StandardPayloads>(
    expectation: Expectation & { readonly type: T } & StandardFiltersOf<T>,
  ): Promise<CapturedEvent<StandardPayloads[T]>[]>;
  /** Waits for events of several types, or in an order. */
  expect(expectation: Expectation): Promise<CapturedEvent[]>;
  /** Lists the held events of one type, newest first. Throws a `RangeError` for an unknown option. */
  list<T extends keyof StandardPayloads>(
    type: T,
    options?: ListOptions<StandardPayloads[T]> & StandardFiltersOf<T>,
  ): CapturedEvent<StandardPayloads[T]>[];
  /** The same for all types, and for those of other plugins. */
  list<P = unknown, F extends object = NoFilters>(
    type?: string,
    options?: ListOptions<P> & NoInfer<F>,
  ): CapturedEvent<P>[];
  /**
   * Deletes all held events, those of one plugin, or those that `list` returns for the same options, and returns their
   * number. Files, buckets and blobs stay. Throws a `RangeError` for an unknown option.
   */
  clear<P extends keyof StandardFilters>(
    plugin: P,
    which?: ClearOptions & StandardFilters[P],
  ): number;
  /** The same for all plugins, including those that are not standard. */
  clear<F extends object = NoFilters>(plugin?: string, which?: ClearOptions & NoInfer<F>): number;
}

const START_OPTIONS: readonly (keyof StartOptions)[] = [
  "plugins",
  "providers",
  "ports",
  "config",
  "persist",
  "events",
  "clock",
  "seed",
];

function checkOptions(options: StartOptions): void {
  const unknown = Object.keys(options).filter((key) => !START_OPTIONS.some((name) => name === key));
  const problems = unknown.map((key) =>
    `Cannot start: ${unknownName("option", key, START_OPTIONS)}`
  );
  if (options.ports !== undefined && options.ports !== 0) {
    problems.push(
      `Cannot use ports ${quote(options.ports)}: expected 0 for any free port of every listener; ` +
        "to choose a port, set it in config",
    );
  }
  if (problems.length > 0) throw new ConfigError(problems);
}

function flagsOf({ persist, events }: StartOptions): Readonly<Record<string, readonly string[]>> {
  return {
    ...compact({
      persist: persist === undefined ? undefined : [persist],
      events: events === undefined ? undefined : [events],
    }),
  };
}

/**
 * Starts a capture service; resolves when every listener accepts. The log goes to standard error.
 * Throws `ConfigError` with every problem of the options, and if a port is not available.
 */
export async function start(options: StartOptions = {}): Promise<Standin> {
  checkOptions(options);
  const plugins = options.plugins ?? STANDARD_PLUGINS;
  const settings = resolveSettings(plugins, {
    ...compact({
      tree: options.config,
      enabledProviders: options.providers,
      portsZero: options.ports === undefined ? undefined : true,
      flags: flagsOf(options),
    }),
  });
  const encoder = new TextEncoder();
  const service = await startCore(plugins, {
    settings,
    assets: ASSETS,
    ...compact({ clock: options.clock, seed: options.seed }),
    log: createLogger({
      level: options.config?.log_level === undefined ? "warn" : settings.core.root.log_level,
      format: settings.core.root.log_format,
      instance: settings.core.root.instance,
      write: (line) => Deno.stderr.writeSync(encoder.encode(`${line}\n`)),
      now: () => new Date(),
    }),
  });
  const { expect } = service;
  return Object.assign(service, {
    expect: async (given: string | Expectation, more?: Expectation) =>
      await expect(typeof given === "string" ? withType(given, more) : alone(given, more)),
  }) as Standin;
}

function withType(type: string, more: Expectation = {}): Expectation {
  if (more.type === undefined) return { ...more, type };
  throw new RangeError("Cannot use the expectation: its type is given twice; give it once");
}

function alone(expectation: Expectation, more: unknown): Expectation {
  if (more === undefined) return expectation;
  throw new RangeError(
    "Cannot use the expectation: it is given twice; put the whole expectation into one object",
  );
}
