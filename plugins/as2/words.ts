import type { As2Message } from "./model.ts";

/** Words for how a message was protected. */
export function securityWords({ security }: As2Message): string[] {
  return (["signed", "encrypted", "compressed"] as const).filter((word) => security[word]);
}

/** Whether the signature holds, and whose it is, in one word; never a claim about people. */
export function assuranceOf({ security: { signed, signature } }: As2Message): string {
  if (!signed || signature === undefined) return "unsigned";
  if (!signature.verified) return "invalid";
  if (!signature.partner_configured) return "intact";
  return signature.signer_matched ? "intact-partner" : "intact-unexpected-signer";
}
