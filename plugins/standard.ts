import type { AnyPlugin } from "../core/plugin.ts";
import { as2 } from "./as2/mod.ts";
import { chat } from "./chat/mod.ts";
import { files } from "./files/mod.ts";
import { hl7 } from "./hl7/mod.ts";
import { mail } from "./mail/mod.ts";
import { push } from "./push/mod.ts";
import { s3 } from "./s3/mod.ts";
import { sms } from "./sms/mod.ts";
import { snmp } from "./snmp/mod.ts";
import { webhook } from "./webhook/mod.ts";

/** Every plugin that comes with Standin, in display order. */
export const STANDARD_PLUGINS: readonly AnyPlugin[] = [
  mail,
  sms,
  chat,
  files,
  s3,
  push,
  as2,
  snmp,
  hl7,
  webhook,
];
