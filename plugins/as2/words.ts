import type { As2Message } from "./model.ts";

/** Returns the layers of a message. */
export function securityWords({ security }: As2Message): string[] {
  return (["signed", "encrypted", "compressed"] as const).filter((word) => security[word]);
}

/** Returns in one word whether the signature is valid and whose it is. */
export function assuranceOf({ security: { signed, signature } }: As2Message): string {
  if (!signed || signature === undefined) return "unsigned";
  if (!signature.verified) return "invalid";
  if (!signature.partner_configured) return "intact";
  return signature.signer_matched ? "intact-partner" : "intact-unexpected-signer";
}
