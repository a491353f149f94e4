import type { As2Filter } from "./as2/filters.ts";
import type { As2Message } from "./as2/model.ts";
import type { ChatFilter } from "./chat/filters.ts";
import type { ChatMessage } from "./chat/model.ts";
import type { FileOperation } from "./files/model.ts";
import type { Hl7Filter } from "./hl7/filters.ts";
import type { Hl7Message } from "./hl7/model.ts";
import type { MailFilter } from "./mail/filters.ts";
import type { MailMessage } from "./mail/model.ts";
import type { PushFilter } from "./push/filters.ts";
import type { PushMessage } from "./push/model.ts";
import type { S3Operation } from "./s3/model.ts";
import type { SmsFilter } from "./sms/filters.ts";
import type { SmsMessage } from "./sms/model.ts";
import type { SnmpTrap } from "./snmp/model.ts";
import type { WebhookFilter } from "./webhook/filters.ts";
import type { WebhookRequest } from "./webhook/model.ts";

/** Payload types of the standard plugins, by event type. */
export interface StandardPayloads {
  /** One email, received over any API. */
  "mail.message": MailMessage;
  /** One text or media message. */
  "sms.message": SmsMessage;
  /** One chat message. */
  "chat.message": ChatMessage;
  /** One complete file. */
  "files.upload": FileOperation;
  /** One created directory, with its created parents. */
  "files.mkdir": FileOperation;
  /** One moved file or directory. */
  "files.rename": FileOperation;
  /** One deleted file, or a directory with its contents. */
  "files.delete": FileOperation;
  /** One created bucket. */
  "s3.bucket.create": S3Operation;
  /** One deleted bucket. */
  "s3.bucket.delete": S3Operation;
  /** One uploaded object, whole or in parts. */
  "s3.object.put": S3Operation;
  /** One copied object. */
  "s3.object.copy": S3Operation;
  /** One deleted object. */
  "s3.object.delete": S3Operation;
  /** One push, received by either gateway. */
  "push.message": PushMessage;
  /** One trap or inform. */
  "snmp.trap": SnmpTrap;
  /** One HL7 v2 message; its segments are parsed on access. */
  "hl7.message": Hl7Message;
  /** One AS2 message, with every layer unwrapped. */
  "as2.message": As2Message;
  /** One HTTP request of any kind. */
  "webhook.request": WebhookRequest;
}

/** Filters of events of the standard plugins, by plugin. */
export interface StandardFilters {
  /** Filters of emails. */
  readonly mail: MailFilter;
  /** Filters of text messages. */
  readonly sms: SmsFilter;
  /** Filters of chat messages. */
  readonly chat: ChatFilter;
  /** Filters of pushes. */
  readonly push: PushFilter;
  /** Filters of HL7 messages. */
  readonly hl7: Hl7Filter;
  /** Filters of AS2 messages. */
  readonly as2: As2Filter;
  /** Filters of webhooks. */
  readonly webhook: WebhookFilter;
  /** No filters. */
  readonly files: NoFilters;
  /** No filters. */
  readonly s3: NoFilters;
  /** No filters. */
  readonly snmp: NoFilters;
}

/** Plugins without filters. */
export type NoFilters = Record<never, never>;

/** Filters of events of type `T`. */
export type StandardFiltersOf<T extends string> = T extends `${infer P}.${string}`
  ? P extends keyof StandardFilters ? StandardFilters[P] : NoFilters
  : NoFilters;
