import { toLatin1 } from "../../../core/bytes/latin1.ts";
import { readHeaderBlock } from "../../../core/codec/mime/header.ts";
import { Warnings } from "../../../core/codec/mime/warnings.ts";
import { inSlices } from "../../../core/time_slice.ts";
import { readHtml } from "../../../core/extract/html_text.ts";
import type { CapturedEvent, CheckContext } from "../../../core/plugin.ts";
import type { MailMessage } from "../model.ts";
import type { MailEvent } from "../views.ts";
import { type HtmlDocument, readDocument } from "./html/document.ts";
import { loadSupport, type SupportData } from "./html/support.ts";
import { askSpam, type SpamOpinion } from "./spam/ask.ts";

/** The subject of the checks of an email. */
export interface MailSubject {
  readonly event: MailEvent;
  readonly mail: MailMessage;
  readonly html: HtmlDocument | undefined;
  /** Readable text of the HTML body. */
  readonly htmlText: string;
  readonly support: SupportData;
  /** Header section as sent, one character per octet; absent for emails of HTTP APIs. */
  readonly rawHeader: string | undefined;
  /** The same octet by octet, for signatures, with the start of the body. */
  readonly signedHeader: { readonly text: string; readonly bodyStart: number } | undefined;
  /** TXT records of DKIM keys by name. */
  readonly dkimKeys: Readonly<Record<string, string>>;
  readonly now: Date;
  /** SpamAssassin's report; absent without the setting. */
  readonly spam: SpamOpinion | undefined;
  /** Returns the values of a header field, by case-insensitive name. */
  headers(name: string): readonly string[];
}

/** Maximum characters of HTML whose text is read. */
const MAX_TEXT = 262_144;

const latin1 = new TextDecoder("latin1");

/** Reads an email for its checks. */
export async function readMail(event: CapturedEvent, ctx: CheckContext): Promise<MailSubject> {
  const mailEvent = event as MailEvent;
  const { payload: mail, raw } = mailEvent;
  const byName = new Map<string, readonly string[]>();
  for (const [name, values] of Object.entries(mail.headers ?? {})) {
    const lower = name.toLowerCase();
    byName.set(lower, [...byName.get(lower) ?? [], ...values]);
  }
  const block = raw.transport === "smtp" ? readHeaderBlock(raw.body, new Warnings()) : undefined;
  return {
    event: mailEvent,
    mail,
    html: mail.html === undefined ? undefined : await inSlices(readDocument(mail.html)),
    htmlText: mail.html === undefined ? "" : readHtml(mail.html.slice(0, MAX_TEXT)).text,
    support: await loadSupport(),
    rawHeader: block && latin1.decode(block.bytes),
    signedHeader: block && { text: toLatin1(block.bytes), bodyStart: block.bodyStart },
    dkimKeys: (ctx.values.dkim_keys ?? {}) as Readonly<Record<string, string>>,
    now: ctx.now(),
    spam: await askSpam(mailEvent, ctx),
    headers: (name) => byName.get(name.toLowerCase()) ?? [],
  };
}

/** Returns the domain of an address in lower case; empty without one. */
export function domainOf(address: string): string {
  return address.slice(address.lastIndexOf("@") + 1).replace(/>.*$/, "").trim().toLowerCase();
}
