/** Responses other than receipts, which the plugin composes: the certificate, and refusals in plain text. */
import { textResponse } from "../../../core/http/reply.ts";
import type { Refusal } from "../../../core/plugin.ts";
import type { Identity } from "../identity.ts";

/** A refusal. */
export interface VendorRefusal {
  readonly status: number;
  readonly message: string;
}

/** RFC 4130 defines no format for refusals below it. */
export function toVendorRefusal({ status, message }: Refusal): VendorRefusal {
  return { status, message };
}

/** Renders a refusal: one sentence. */
export function refuse({ status, message }: VendorRefusal): Response {
  return textResponse(`${message}\n`, {
    status,
    headers: { "content-type": "text/plain; charset=utf-8" },
  });
}

/** Answers with the certificate to encrypt for, or the reason why there is none. */
export function answerCertificate(identity: Identity | undefined): Response {
  if (identity?.own === undefined) {
    const reason = identity?.info.error ?? "The service has none";
    return refuse({ status: 503, message: `Cannot provide a certificate: ${reason}` });
  }
  return textResponse(identity.own.pem, { headers: { "content-type": "application/x-pem-file" } });
}
