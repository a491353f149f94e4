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
  /** One HL7 v2 message, its segments taken apart when they are looked at. */
  "hl7.message": Hl7Message;
  /** One AS2 message, every layer of it opened. */
  "as2.message": As2Message;
}

/** What events of the standard plugins can be chosen by, by plugin; those of the others have no filters of their own. */
export interface StandardFilters {
  /** Of mails. */
  readonly mail: MailFilter;
  /** Of text messages. */
  readonly sms: SmsFilter;
  /** Of chat messages. */
  readonly chat: ChatFilter;
  /** Of pushes. */
  readonly push: PushFilter;
  /** Of HL7 messages. */
  readonly hl7: Hl7Filter;
  /** Of AS2 messages. */
  readonly as2: As2Filter;
  /** None. */
  readonly files: NoFilters;
  /** None. */
  readonly s3: NoFilters;
  /** None. */
  readonly snmp: NoFilters;
}

/** Of plugins whose events have no filters of their own. */
export type NoFilters = Record<never, never>;

/** What events of type `T` can be chosen by. */
export type StandardFiltersOf<T extends string> = T extends `${infer P}.${string}`
  ? P extends keyof StandardFilters ? StandardFilters[P] : NoFilters
  : NoFilters;
