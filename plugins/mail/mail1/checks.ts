/**
 * Rules of one message (Send API v3.1, "Message JSON properties" and "Send API errors"). Codes that need an account
 * at the vendor (send-0004, -0006 to -0010, -0013, mj-0001) have no rule here.
 */
import { isAddress } from "../address_list.ts";
import { REFUSALS, type VendorRefusal } from "./refusals.ts";
import { type File, type Mailbox, type Message, templateOf } from "./message.ts";

/** Maximum number of recipients of one message, To, Cc and Bcc together; one named twice counts once. */
const MAX_RECIPIENTS = 50;
/** In characters, as below. */
const MAX_SUBJECT = 255;
const MAX_URL_TAGS = 256;
/** Bytes of all attachments of a message, decoded. */
const MAX_ATTACHMENTS = 15 * 1024 * 1024;

/** Maximum number of refusals of one message: a hostile one can cause hundreds of thousands. */
const MAX_REFUSALS = 100;

const PRIORITIES = [0, 1, 2, 3];
const TRACKING = ["account_default", "disabled", "enabled"];

/** Header fields that have a property, or that only the vendor may set. */
const RESERVED_HEADERS: ReadonlySet<string> = new Set([
  "from",
  "sender",
  "subject",
  "to",
  "cc",
  "bcc",
  "reply-to",
  "return-path",
  "delivered-to",
  "dkim-signature",
  "domainkey-status",
  "received-spf",
  "authentication-results",
  "received",
  "user-agent",
  "x-mailer",
  "x-feedback-id",
  "x-csa-complaints",
  "list-id",
  "date",
  "message-id",
]);

/** Returns the refusals of a message, at most `MAX_REFUSALS`, in the order of the vendor's property table. */
export function checkMessage(message: Message): readonly VendorRefusal[] {
  const found: VendorRefusal[] = [];
  for (const refusal of checkAll(message)) {
    if (found.push(refusal) === MAX_REFUSALS) break;
  }
  return found;
}

function* checkAll(message: Message): Generator<VendorRefusal> {
  yield* checkMailboxes(message);
  yield* checkTexts(message);
  yield* checkTemplate(message);
  yield* checkFiles(message);
  yield* checkCampaign(message);
  yield* checkHeaders(message);
}

function* checkMailboxes(message: Message): Generator<VendorRefusal> {
  const { from, sender, to = [], cc = [], bcc = [], replyTo, templateErrorReporting } = message;
  // A stored template may bring its own sender.
  if (from === undefined && templateOf(message) === undefined) yield REFUSALS.missing("From");
  if (from !== undefined) yield* checkMailbox(from, "From");
  if (sender !== undefined) yield* checkMailbox(sender, "Sender");
  if (message.to === undefined) yield REFUSALS.missing("To");
  else if (to.length === 0) yield REFUSALS.emptyArray("To");
  for (const [index, mailbox] of to.entries()) yield* checkMailbox(mailbox, `To[${index}]`);
  for (const [index, mailbox] of cc.entries()) yield* checkMailbox(mailbox, `Cc[${index}]`);
  for (const [index, mailbox] of bcc.entries()) yield* checkMailbox(mailbox, `Bcc[${index}]`);
  const recipients = [...to, ...cc, ...bcc].map((mailbox) => mailbox.email?.toLowerCase());
  if (new Set(recipients).size > MAX_RECIPIENTS) yield REFUSALS.tooManyRecipients(MAX_RECIPIENTS);
  if (replyTo !== undefined) yield* checkMailbox(replyTo, "ReplyTo");
  if (templateErrorReporting !== undefined) {
    yield* checkMailbox(templateErrorReporting, "TemplateErrorReporting");
  }
}

function* checkMailbox({ email }: Mailbox, path: string): Generator<VendorRefusal> {
  yield* checkText(email, `${path}.Email`);
  if (email && !isAddress(email, { publicDomain: true })) {
    yield REFUSALS.badAddress(`${path}.Email`, email);
  }
}

function* checkTexts(message: Message): Generator<VendorRefusal> {
  if (isLonger(message.subject, MAX_SUBJECT)) yield REFUSALS.tooLong("Subject", MAX_SUBJECT);
  if (!message.textPart && !message.htmlPart && templateOf(message) === undefined) {
    yield REFUSALS.noContent;
  }
  if (isLonger(message.urlTags, MAX_URL_TAGS)) yield REFUSALS.tooLong("URLTags", MAX_URL_TAGS);
}

function isLonger(text: string | undefined, max: number): boolean {
  // Characters are never more than code units, so the costly count is rarely made.
  return text !== undefined && text.length > max && [...text.slice(0, 2 * max + 2)].length > max;
}

function* checkTemplate(message: Message): Generator<VendorRefusal> {
  const { templateErrorReporting, templateErrorDeliver, templateLanguage } = message;
  const reports = templateErrorReporting !== undefined || templateErrorDeliver !== undefined;
  if (reports && templateLanguage === undefined) yield REFUSALS.noTemplateLanguage;
}

function* checkFiles(message: Message): Generator<VendorRefusal> {
  const { attachments = [], inlinedAttachments = [] } = message;
  for (const [index, file] of attachments.entries()) {
    yield* checkFile(file, `Attachments[${index}]`);
  }
  for (const [index, file] of inlinedAttachments.entries()) {
    yield* checkFile(file, `InlinedAttachments[${index}]`);
  }
  const total = [...attachments, ...inlinedAttachments]
    .reduce((sum, file) => sum + file.draft.bytes.length, 0);
  if (total > MAX_ATTACHMENTS) {
    yield REFUSALS.tooLarge(MAX_ATTACHMENTS, "Attachments", "InlinedAttachments");
  }
}

function* checkFile(file: File, path: string): Generator<VendorRefusal> {
  yield* checkText(file.contentType, `${path}.ContentType`);
  yield* checkText(file.filename, `${path}.Filename`);
  yield* checkText(file.base64Content, `${path}.Base64Content`);
}

function* checkText(text: string | undefined, path: string): Generator<VendorRefusal> {
  if (text === undefined) yield REFUSALS.missing(path);
  else if (text === "") yield REFUSALS.emptyText(path);
}

function* checkCampaign(message: Message): Generator<VendorRefusal> {
  const { priority, trackOpens, trackClicks } = message;
  if (priority !== undefined && !PRIORITIES.includes(priority)) {
    yield REFUSALS.notAllowed("Priority", { value: priority, allowed: PRIORITIES });
  }
  if (message.deduplicateCampaign === true && !message.customCampaign) {
    yield REFUSALS.deduplicationWithoutCampaign;
  }
  for (
    const [name, value] of Object.entries({ TrackOpens: trackOpens, TrackClicks: trackClicks })
  ) {
    if (value === undefined || TRACKING.includes(value)) continue;
    yield REFUSALS.notAllowed(name, { value, allowed: TRACKING });
  }
}

function* checkHeaders(message: Message): Generator<VendorRefusal> {
  for (const [name] of message.headers ?? []) {
    const lower = name.toLowerCase();
    if (RESERVED_HEADERS.has(lower) || /^x-(mj|mailjet)-/.test(lower)) {
      yield REFUSALS.reservedHeader(name);
    }
  }
}
