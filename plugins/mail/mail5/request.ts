/**
 * Messages to send:
 * https://documentation.mailgun.com/docs/mailgun/api-reference/send/mailgun/messages. The body is a
 * form, in either encoding, whose names may repeat.
 */
import { WireError } from "../../../core/bytes/decoder.ts";
import { decodeForm, type FormFields, formFields } from "../../../core/codec/form.ts";
import { isJsonObject, parseJson } from "../../../core/codec/json_lenient.ts";
import type { JsonObject } from "../../../core/codec/json_fields.ts";
import { compact } from "../../../core/compact.ts";
import { decodeFormFiles, type FilledForm, type FormFile } from "../../../core/http/form_data.ts";
import type { IngressCall } from "../../../core/plugin.ts";
import { attempt, failure, type Result, success } from "../../../core/result.ts";
import { parseMailbox, splitMailboxes } from "../address_list.ts";
import type { DraftAttachment, MailDraft } from "../capture.ts";
import type { Address } from "../model.ts";
import { checkDate, checkOptions, distinct, fail } from "./checks.ts";
import { badAddress, missing, REFUSALS, type VendorRefusal } from "./reply.ts";

/** Addresses in `to`. */
const MAX_TO = 1000;

/** Options of either call. */
interface Options {
  /**
   * Values for each recipient, by address in lower case; if given, each gets a separate message.
   */
  readonly recipientVariables?: Readonly<Record<string, JsonObject>>;
  readonly template?: TemplateUse;
  /** `v:` parameters. */
  readonly variables: Readonly<Record<string, string>>;
  /** `tags options amp_html`, if given. */
  readonly meta: JsonObject;
}

/** A message before it is rendered for its recipients. */
export interface SendRequest extends Options {
  readonly draft: MailDraft;
  /** Recipients of a MIME message, whose header may name others. */
  readonly envelope?: readonly Address[];
}

/** The template of a message. */
export interface TemplateUse {
  readonly name: string;
  readonly version?: string;
  /** Whether a text is derived from it, too. */
  readonly text?: boolean;
  /** `t:variables`. */
  readonly variables: JsonObject;
}

/** A raw MIME message. */
export interface MimeRequest extends Options {
  readonly to: readonly Address[];
  readonly message: Uint8Array;
  /** `h:` parameters. */
  readonly headers: MailDraft["headers"];
  readonly replyTo: readonly Address[];
}

/** Reads the form of a call. */
export async function readForm(
  { body, headers }: Pick<IngressCall, "body" | "headers">,
): Promise<Result<FilledForm, VendorRefusal>> {
  const type = headers.get("content-type") ?? "";
  try {
    const { fields, files } = /^multipart\/form-data\b/i.test(type)
      ? await decodeFormFiles(body, type)
      : { fields: decodeForm(body), files: [] };
    return success({
      fields: formFields(fields.pairs.map(([name, value]) => [bare(name), value])),
      files: files.map((file) => ({ ...file, name: bare(file.name) })),
    });
  } catch (error) {
    if (error instanceof WireError || error instanceof TypeError) {
      return failure(REFUSALS.badForm);
    }
    throw error;
  }
}

/** PHP clients number repeated fields: `attachment[0]`. */
function bare(name: string): string {
  return name.replace(/\[\d*\]$/, "");
}

/** Reads `POST /v3/{domain}/messages`. */
export function readSend(form: FilledForm): Result<SendRequest, VendorRefusal> {
  return attempt(() => {
    const { fields } = form;
    const { headers, replyTo, ...options } = readOptions(fields);
    const { template } = options;
    const from = readAddresses(fields, "from");
    if (from.length === 0 && template === undefined) fail(missing("from"));
    const to = readRecipients(fields);
    const [text, html] = [fields.first("text") ?? "", fields.first("html") ?? ""];
    const amp_html = fields.first("amp-html") || undefined;
    if (text === "" && html === "" && amp_html === undefined && template === undefined) {
      fail(REFUSALS.noBody);
    }
    if (html !== "" && template !== undefined) fail(REFUSALS.twoBodies);
    const draft = {
      from: from[0] ?? { email: "" },
      to,
      cc: readAddresses(fields, "cc"),
      bcc: readAddresses(fields, "bcc"),
      reply_to: replyTo,
      subject: fields.first("subject") ?? "",
      text,
      html,
      headers,
      attachments: form.files.flatMap(toAttachment),
    };
    return { ...options, draft, meta: { ...options.meta, ...compact({ amp_html }) } };
  });
}

/** Reads `POST /v3/{domain}/messages.mime`. */
export function readMime({ fields, files }: FilledForm): Result<MimeRequest, VendorRefusal> {
  return attempt(() => {
    const to = readRecipients(fields);
    const file = files.find(({ name }) => name === "message");
    const text = fields.first("message");
    const message = file?.bytes ??
      (text === undefined ? fail(REFUSALS.noMime) : new TextEncoder().encode(text));
    return { ...readOptions(fields), to, message };
  });
}

function readOptions(
  fields: FormFields,
): Options & Pick<MimeRequest, "headers" | "replyTo"> {
  checkOptions(fields);
  const headers = prefixed(fields, "h:");
  const replies = headers.filter(([name]) => name.toLowerCase() === "reply-to");
  return {
    ...compact({
      template: readTemplate(fields),
      recipientVariables: readRecipientVariables(fields),
    }),
    headers: headers.filter(([name]) => !/^(reply-to|x-mailgun-variables)$/i.test(name)),
    replyTo: replies.flatMap(([, text]) => readReplyTo(text)),
    variables: Object.fromEntries(prefixed(fields, "v:")),
    meta: { ...readMeta(fields), ...readHeaderVariables(headers) },
  };
}

function readRecipients(fields: FormFields): readonly Address[] {
  const to = readAddresses(fields, "to");
  if (to.length === 0) fail(missing("to"));
  if (to.length > MAX_TO) fail(REFUSALS.tooManyRecipients);
  return to;
}

function readAddresses(fields: FormFields, name: string): readonly Address[] {
  return distinct(
    fields.all(name).flatMap(splitMailboxes).map((text) =>
      parseMailbox(text, { publicDomain: true }) ?? fail(badAddress(name))
    ),
  );
}

/**
 * A header field, which the vendor does not validate; it may have a variable instead of an address.
 */
function readReplyTo(text: string): readonly Address[] {
  return splitMailboxes(text).map((item) => parseMailbox(item) ?? { email: item });
}

/** Values of the fields with this prefix, by the rest of the name. */
function prefixed(
  { pairs }: FormFields,
  prefix: string,
): readonly (readonly [name: string, value: string])[] {
  return pairs.filter(([name]) => name.toLowerCase().startsWith(prefix))
    .map(([name, value]) => [name.slice(prefix.length), value]);
}

function readTemplate(fields: FormFields): TemplateUse | undefined {
  const name = fields.first("template");
  if (!name) return undefined;
  const variables = fields.first("t:variables");
  return {
    name,
    ...compact({ version: fields.first("t:version") || undefined }),
    ...(fields.first("t:text") === "yes" && { text: true }),
    variables: variables ? readObject(variables) ?? fail(REFUSALS.badTemplateVariables) : {},
  };
}

function readRecipientVariables(
  fields: FormFields,
): Readonly<Record<string, JsonObject>> | undefined {
  const text = fields.first("recipient-variables");
  if (!text) return undefined;
  const variables = readObject(text) ?? fail(REFUSALS.badVariables);
  return Object.fromEntries(
    Object.entries(variables).map(([email, values]) => [
      email.toLowerCase(),
      isJsonObject(values) ? values : fail(REFUSALS.badVariables),
    ]),
  );
}

function readHeaderVariables(headers: MailDraft["headers"]): JsonObject {
  const text = headers.find(([name]) => name.toLowerCase() === "x-mailgun-variables")?.[1];
  if (text === undefined) return {};
  return compact({ header_variables: readObject(text) });
}

function readObject(text: string): JsonObject | undefined {
  try {
    const value = parseJson(text);
    return isJsonObject(value) ? value : undefined;
  } catch (error) {
    if (error instanceof WireError) return undefined;
    throw error;
  }
}

/** Tags, and the other options as sent. */
function readMeta(fields: FormFields): JsonObject {
  const tags = fields.all("o:tag");
  const options = Object.fromEntries(prefixed(fields, "o:").filter(([name]) => name !== "tag"));
  const time = options.deliverytime;
  if (time !== undefined) checkDate(time);
  return compact({
    tags: tags.length > 0 ? tags : undefined,
    options: Object.keys(options).length > 0 ? options : undefined,
  });
}

/** An `inline` file is referred to by its name: `cid:name`. */
function toAttachment({ name, filename, contentType, bytes }: FormFile): DraftAttachment[] {
  if (name !== "attachment" && name !== "inline") return [];
  const inline = name === "inline";
  return [{
    bytes,
    filename,
    inline,
    ...compact({
      content_type: contentType || undefined,
      content_id: inline ? filename : undefined,
    }),
  }];
}
