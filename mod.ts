/**
 * Standin as a library: start a capture service inside a test, point the code under test at it, and assert on what
 * it sent.
 *
 * @example Assert on a mail
 * ```ts ignore
 * import { start } from "@standin/standin";
 *
 * await using standin = await start({ plugins: [mail], ports: 0 });
 * await signUp("ada@example.org", { smtpPort: standin.endpoint("smtp").port });
 * const { payload } = await standin.waitFor("mail.message");
 * ```
 *
 * @module
 */
import type { CapturedEvent } from "./core/events/event.ts";
import type { Service, WaitOptions } from "./core/app/service.ts";
import { startCore } from "./core/app/start.ts";
import { createLogger } from "./core/log.ts";
import { resolveSettings } from "./core/options/resolve.ts";
import type { AnyPlugin } from "./core/plugin.ts";
import type { ChatMessage } from "./plugins/chat/model.ts";
import type { FileOperation } from "./plugins/files/model.ts";
import type { MailMessage } from "./plugins/mail/model.ts";
import type { PushMessage } from "./plugins/push/model.ts";
import type { S3Operation } from "./plugins/s3/model.ts";
import type { SmsMessage } from "./plugins/sms/model.ts";
import type { SnmpTrap } from "./plugins/snmp/model.ts";
import { STANDARD_PLUGINS } from "./plugins/standard.ts";
import { ASSETS } from "./ui/assets.ts";

export { ConfigError } from "./core/errors.ts";
export { TimeoutError } from "./core/app/wait.ts";
export { as2 } from "./plugins/as2/mod.ts";
export { chat } from "./plugins/chat/mod.ts";
export { files } from "./plugins/files/mod.ts";
export { hl7 } from "./plugins/hl7/mod.ts";
export { mail } from "./plugins/mail/mod.ts";
export { push } from "./plugins/push/mod.ts";
export { s3 } from "./plugins/s3/mod.ts";
export { sms } from "./plugins/sms/mod.ts";
export { snmp } from "./plugins/snmp/mod.ts";
export type { BlobRef } from "./core/blobs/blob.ts";
export type {
  CapturedEvent,
  EventFilter,
  EventStore,
  HeaderPairs,
  Page,
  RawRecord,
  StreamItem,
  SummaryParts,
} from "./core/events/event.ts";
export type { Address, Attachment, MailMessage } from "./plugins/mail/model.ts";
export type { MailState } from "./plugins/mail/capture.ts";
export type { Segments, SmsMedia, SmsMessage } from "./plugins/sms/model.ts";
export type { SmsState } from "./plugins/sms/capture.ts";
export type { Author, ChannelRef, ChatMessage, Content } from "./plugins/chat/model.ts";
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
export type { SnmpTrap, SnmpV1, SnmpV2, SnmpVarbind } from "./plugins/snmp/model.ts";
export type { S3Operation } from "./plugins/s3/model.ts";
export type { PushState } from "./plugins/push/capture.ts";
export type { AnyPlugin, Endpoint } from "./core/plugin.ts";
export type { RejectedJournal } from "./core/events/journal.ts";
export type { Service, WaitOptions } from "./core/app/service.ts";

/** Payload types of the standard plugins, by event type. */
export interface StandardPayloads {
  /** One mail, whichever API it came through. */
  "mail.message": MailMessage;
  /** One text or media message. */
  "sms.message": SmsMessage;
  /** One chat message. */
  "chat.message": ChatMessage;
  /** One file that was written whole. */
  "files.upload": FileOperation;
  /** One directory, with those above it that were made along. */
  "files.mkdir": FileOperation;
  /** One file or directory that was moved. */
  "files.rename": FileOperation;
  /** One file, or one directory with all that was in it, that was deleted. */
  "files.delete": FileOperation;
  /** One bucket that a request made. */
  "s3.bucket.create": S3Operation;
  /** One bucket that was deleted. */
  "s3.bucket.delete": S3Operation;
  /** One object that was put, whole or in parts. */
  "s3.object.put": S3Operation;
  /** One object that was made by a copy. */
  "s3.object.copy": S3Operation;
  /** One object that was deleted. */
  "s3.object.delete": S3Operation;
  /** One push, through either gateway. */
  "push.message": PushMessage;
  /** One trap or inform. */
  "snmp.trap": SnmpTrap;
}

/** How a service is started from a program. */
export interface StartOptions {
  /** Every standard plugin unless given. */
  readonly plugins?: readonly AnyPlugin[];
  /** Ids of the only providers to run, such as `["smtp"]`; all unless given. */
  readonly providers?: readonly string[];
  /** `0`: a free port for every listener, which is what a test wants. Otherwise each option's own. */
  readonly ports?: 0;
  /**
   * Settings as the configuration file would hold them, checked by the same code. Where it names no `log_level`,
   * warnings and errors are logged.
   */
  readonly config?: Readonly<Record<string, unknown>>;
}

/** A running service that knows the payloads of the standard plugins. */
export interface Standin extends Omit<Service, "waitFor"> {
  /** The oldest held event that fits, or the next to arrive. Rejects with a `TimeoutError` that lists what did arrive. */
  waitFor<T extends keyof StandardPayloads>(
    type: T,
    options?: WaitOptions<StandardPayloads[T]>,
  ): Promise<CapturedEvent<StandardPayloads[T]>>;
  /** The same for events of other plugins. */
  waitFor<P = unknown>(type: string, options?: WaitOptions<P>): Promise<CapturedEvent<P>>;
}

/**
 * Starts a capture service; resolves when every listener accepts. The log goes to standard error.
 * Throws `ConfigError` with every problem found in the options, and for a port that cannot be had.
 */
export async function start(options: StartOptions = {}): Promise<Standin> {
  const plugins = options.plugins ?? STANDARD_PLUGINS;
  const settings = resolveSettings(plugins, {
    ...(options.config === undefined ? {} : { tree: options.config }),
    ...(options.providers === undefined ? {} : { enabledProviders: options.providers }),
    ...(options.ports === undefined ? {} : { portsZero: true }),
  });
  const encoder = new TextEncoder();
  return await startCore(plugins, {
    settings,
    assets: ASSETS,
    log: createLogger({
      level: options.config?.log_level === undefined ? "warn" : settings.core.root.log_level,
      write: (line) => Deno.stderr.writeSync(encoder.encode(`${line}\n`)),
      now: () => new Date(),
    }),
  });
}
