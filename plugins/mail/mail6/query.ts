/**
 * Messages of version 1, as forms: https://docs.aws.amazon.com/ses/latest/APIReference/API_SendEmail.html. Lists are
 * numbered from 1: `Destination.ToAddresses.member.1`.
 */
import { WireError } from "../../../core/bytes/decoder.ts";
import { decodeForm } from "../../../core/codec/form.ts";
import { compact } from "../../../core/compact.ts";
import type { IngressCall } from "../../../core/plugin.ts";
import { failure, type Result, success } from "../../../core/result.ts";
import { decodeAttachment } from "../address_list.ts";
import {
  type Content,
  type Destination,
  fail,
  type Message,
  readTemplateData,
  toTags,
} from "./message.ts";
import { invalid, missing, REFUSALS, type VendorRefusal } from "./refusals.ts";

/** Maximum number of inspected list members. */
const MAX_MEMBERS = 1000;
const MAX_ENTRIES = 50;

/** The parameters of a call. */
export class Query {
  readonly #values: ReadonlyMap<string, string>;

  constructor(pairs: readonly (readonly [string, string])[]) {
    this.#values = new Map(pairs);
  }

  /** Returns a parameter. */
  text(name: string): string | undefined {
    return this.#values.get(name);
  }

  /** Returns a required parameter. */
  required(name: string): string {
    const value = this.#values.get(name);
    return value ? value : fail(missing(`${name[0]!.toLowerCase()}${name.slice(1)}`));
  }

  /** Returns the members of a list of texts. */
  list(name: string): readonly string[] {
    return this.members(name, (prefix) => this.#values.get(prefix));
  }

  /** Returns the members of a list of objects, each parsed with its name prefix. */
  members<T>(name: string, read: (prefix: string) => T | undefined): readonly T[] {
    const found: T[] = [];
    for (let i = 1; i <= MAX_MEMBERS; i++) {
      const item = read(`${name}.member.${i}`);
      if (item === undefined) break;
      found.push(item);
    }
    return found;
  }

  /** Returns whether a name has this prefix. */
  has(prefix: string): boolean {
    for (const name of this.#values.keys()) if (name.startsWith(prefix)) return true;
    return false;
  }
}

/** Reads the form of a call. */
export function readQuery({ body }: Pick<IngressCall, "body">): Result<Query, VendorRefusal> {
  try {
    return success(new Query(decodeForm(body).pairs));
  } catch (error) {
    if (error instanceof WireError) return failure(REFUSALS.badJson);
    throw error;
  }
}

/** Reads the message of `SendEmail`, `SendRawEmail` or `SendTemplatedEmail`. */
export function readMessage(action: string, query: Query): Message {
  if (action === "SendRawEmail") return readRaw(query);
  const content: Content = action === "SendEmail" ? readSimple(query) : {
    ...readTemplate(query),
    data: readTemplateData(query.required("TemplateData")),
  };
  return { ...readHead(query), destination: readDestination(query, "Destination"), content };
}

/** Reads the messages of `SendBulkTemplatedEmail`. */
export function readBulk(query: Query): readonly Message[] {
  const head = readHead(query);
  const common = readTemplateData(query.text("DefaultTemplateData"));
  const tags = readTags(query, "DefaultTags");
  const messages = query.members("Destinations", (prefix) => {
    if (!query.has(`${prefix}.`)) return undefined;
    const own = readTemplateData(query.text(`${prefix}.ReplacementTemplateData`));
    const email_tags = readTags(query, `${prefix}.ReplacementTags`) ?? tags;
    return {
      ...head,
      meta: { ...head.meta, ...compact({ email_tags }) },
      destination: readDestination(query, `${prefix}.Destination`),
      content: { ...readTemplate(query), data: { ...common, ...own } },
    };
  });
  if (messages.length === 0) fail(missing("destinations"));
  return messages.length > MAX_ENTRIES ? fail(REFUSALS.tooManyEntries) : messages;
}

function readHead(query: Query): Pick<Message, "from" | "replyTo" | "meta"> {
  return {
    from: query.required("Source"),
    replyTo: query.list("ReplyToAddresses"),
    meta: readMeta(query),
  };
}

function readMeta(query: Query): Message["meta"] {
  return compact({
    configuration_set: query.text("ConfigurationSetName"),
    email_tags: readTags(query, "Tags"),
    feedback_to: query.text("ReturnPath"),
  });
}

function readTags(query: Query, name: string): Readonly<Record<string, string>> | undefined {
  const tags = query.members(name, (prefix) => {
    const tag = query.text(`${prefix}.Name`);
    return tag === undefined ? undefined : [tag, query.text(`${prefix}.Value`) ?? ""] as const;
  });
  return tags.length === 0 ? undefined : toTags(tags);
}

function readDestination(query: Query, prefix: string): Destination {
  const [to, cc, bcc] = ["To", "Cc", "Bcc"].map((kind) => query.list(`${prefix}.${kind}Addresses`));
  return { to: to!, cc: cc!, bcc: bcc! };
}

function readSimple(query: Query): Content {
  const [text, html] = ["Text", "Html"].map((kind) => query.text(`Message.Body.${kind}.Data`));
  if (text === undefined && html === undefined) fail(missing("message.body"));
  return {
    kind: "simple",
    subject: query.text("Message.Subject.Data") ?? fail(missing("message.subject")),
    text: text ?? "",
    html: html ?? "",
    headers: [],
    attachments: [],
  };
}

function readTemplate(query: Query): Extract<Content, { kind: "template" }> {
  const name = query.required("Template");
  return { kind: "template", name, data: {}, headers: [], attachments: [] };
}

/** `Destinations` are the envelope; the recipients are in the header. */
function readRaw(query: Query): Message {
  const bytes = decodeAttachment(query.required("RawMessage.Data")) ??
    fail(invalid("RawMessage.Data is not base64"));
  return {
    from: query.text("Source") ?? "",
    destination: { to: query.list("Destinations"), cc: [], bcc: [] },
    replyTo: [],
    content: { kind: "raw", bytes },
    meta: readMeta(query),
  };
}
