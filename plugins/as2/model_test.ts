import type { Static } from "@sinclair/typebox";
import { assertEquals } from "@std/assert";
import type * as model from "./model.ts";
import {
  As2MessageShape,
  type CertInfoShape,
  type CompressionInfoShape,
  type EncryptionShape,
  type IdentityInfoShape,
  type IssueShape,
  type LayerShape,
  type MdnRecordShape,
  type MicShape,
  type PayloadShape,
  type ReceiptRequestShape,
  type RecipientInfoShape,
  type SecurityShape,
  type SignatureShape,
} from "./model.ts";

/** `true` when each type can stand for the other. */
type Same<A, B> = [A] extends [B] ? [B] extends [A] ? true : false : false;

Deno.test("the JSON shapes of as2 describe the documented types", () => {
  // These lines do not compile when a shape and its type drift apart.
  const same: [
    Same<Static<typeof CertInfoShape>, model.CertInfo>,
    Same<Static<typeof RecipientInfoShape>, model.RecipientInfo>,
    Same<Static<typeof PayloadShape>, model.Payload>,
    Same<Static<typeof ReceiptRequestShape>, model.ReceiptRequest>,
    Same<Static<typeof CompressionInfoShape>, model.CompressionInfo>,
    Same<Static<typeof EncryptionShape>, model.Encryption>,
    Same<Static<typeof SignatureShape>, model.Signature>,
    Same<Static<typeof SecurityShape>, model.Security>,
    Same<Static<typeof LayerShape>, model.Layer>,
    Same<Static<typeof IssueShape>, model.Issue>,
    Same<Static<typeof MicShape>, model.Mic>,
    Same<Static<typeof MdnRecordShape>, model.MdnRecord>,
    Same<Static<typeof As2MessageShape>, model.As2Message>,
    Same<Static<typeof IdentityInfoShape>, model.IdentityInfo>,
  ] = [true, true, true, true, true, true, true, true, true, true, true, true, true, true];
  assertEquals(new Set(same), new Set([true]));
  assertEquals(As2MessageShape.$id, "as2.Message");
});
