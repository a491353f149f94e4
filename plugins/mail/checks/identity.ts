import type { CheckTopic, Found } from "../../../core/plugin.ts";
import { fieldPlace } from "./places.ts";
import { domainOf, type MailSubject } from "./subject.ts";

/** Mailbox providers that reject mail from their domains sent by others: they publish p=reject or p=quarantine. */
const FREE = new Set([
  "gmail.com",
  "googlemail.com",
  "yahoo.com",
  "aol.com",
  "outlook.com",
  "hotmail.com",
  "icloud.com",
]);

/** Checks of the sender: alignment of From, Return-Path and DKIM (RFC 7489, section 3.1). */
export const identityTopic: CheckTopic<MailSubject> = {
  checks: [
    {
      id: "mail.from",
      level: "error",
      about: "From is missing or not an address",
      source: "https://www.rfc-editor.org/rfc/rfc5322#section-3.6",
    },
    {
      id: "mail.from_freemail",
      level: "warning",
      about:
        "From is an address at a mailbox provider whose policy makes receivers reject mail from other servers",
      source: "https://support.google.com/a/answer/81126",
    },
    {
      id: "mail.return_path",
      level: "info",
      about: "The domain of the envelope sender differs from that of From: SPF does not align",
      source: "https://www.rfc-editor.org/rfc/rfc7489#section-3.1",
    },
    {
      id: "mail.dkim_domain",
      level: "warning",
      about: "No DKIM signature is for the domain of From: DKIM does not align",
      source: "https://www.rfc-editor.org/rfc/rfc7489#section-3.1",
    },
    {
      id: "mail.dkim",
      level: "error",
      about: "A DKIM signature lacks a tag, does not sign From, or uses SHA-1",
      source: "https://www.rfc-editor.org/rfc/rfc6376#section-3.5",
    },
  ],
  *find(subject) {
    const { mail, event, headers, rawHeader } = subject;
    const { email } = mail.from;
    const from = fieldPlace(subject, "From");
    if (rawHeader !== undefined && headers("from").length === 0) {
      // Lists replace it with their own envelope sender.
      yield { id: "mail.from", message: "From is missing", ...from };
      return;
    }
    if (!/^[^\s@]+@[^\s@]+$/.test(email)) {
      const isStored = event.provider !== "smtp" && event.meta.template_id !== undefined;
      if (!isStored) {
        yield {
          id: "mail.from",
          message: email === "" ? "From is missing" : `${JSON.stringify(email)} is not an address`,
          ...from,
        };
      }
      return;
    }
    const domain = domainOf(email);
    if (FREE.has(domain)) {
      yield {
        id: "mail.from_freemail",
        message: `Receivers reject mail from ${domain} that other servers send`,
        ...from,
      };
    }
    const { envelope } = event.meta as { envelope?: { mail_from?: string } };
    const returnPath = domainOf(envelope?.mail_from ?? "");
    if (returnPath !== "" && !isAligned(returnPath, domain)) {
      yield {
        id: "mail.return_path",
        message: `MAIL FROM is at ${returnPath}, From at ${domain}`,
        ...from,
      };
    }
    yield* signatures(subject, domain);
  },
};

function* signatures(subject: MailSubject, domain: string): Generator<Found> {
  const signers: string[] = [];
  for (const [at, field] of subject.headers("dkim-signature").entries()) {
    const place = fieldPlace(subject, "DKIM-Signature", at);
    const tags = new Map(
      field.split(";").map((tag) => tag.split("=", 2).map((part) => part.trim())).map(
        ([name = "", value = ""]) => [name, value] as const,
      ),
    );
    const missing = ["v", "a", "b", "bh", "d", "h", "s"].filter((name) => !tags.get(name));
    if (missing.length > 0) {
      yield {
        id: "mail.dkim",
        message: `The signature lacks ${missing.join(", ")}`,
        ...place,
      };
    }
    if (tags.get("a")?.toLowerCase() === "rsa-sha1") {
      yield { id: "mail.dkim", message: "rsa-sha1 must not be used: RFC 8301", ...place };
    }
    const signed = tags.get("h")?.toLowerCase().split(":").map((name) => name.trim()) ?? [];
    if (tags.has("h") && !signed.includes("from")) {
      yield { id: "mail.dkim", message: "The signature does not cover From", ...place };
    }
    signers.push((tags.get("d") ?? "").toLowerCase());
  }
  if (signers.length > 0 && !signers.some((signer) => isAligned(signer, domain))) {
    yield {
      id: "mail.dkim_domain",
      message: `The signatures are for ${signers.join(", ")}, From is at ${domain}`,
      ...fieldPlace(subject, "DKIM-Signature"),
    };
  }
}

/**
 * Relaxed alignment: one domain contains the other, approximated without the public suffix list.
 */
function isAligned(a: string, b: string): boolean {
  return a === b || a.endsWith(`.${b}`) || b.endsWith(`.${a}`) || siteOf(a) === siteOf(b);
}

function siteOf(domain: string): string {
  const labels = domain.split(".");
  // Second levels such as co.uk are one label longer.
  const isShort = labels.length > 2 && labels.at(-1)!.length === 2 && labels.at(-2)!.length <= 3;
  return labels.slice(isShort ? -3 : -2).join(".");
}
