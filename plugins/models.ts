import type { As2Message } from "./as2/model.ts";
import type { ChatMessage } from "./chat/model.ts";
import type { FileOperation } from "./files/model.ts";
import type { Hl7Message } from "./hl7/model.ts";
import type { MailMessage } from "./mail/model.ts";
import type { PushMessage } from "./push/model.ts";
import type { S3Operation } from "./s3/model.ts";
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
