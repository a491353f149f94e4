import type { Static } from "@sinclair/typebox";
import type { Address, Attachment, MailMessage } from "./model.ts";
import { AddressShape, AttachmentShape, MailMessageShape } from "./model.ts";
import { assertEquals } from "@std/assert";

/** `true` when each type can stand for the other. */
type Same<A, B> = [A] extends [B] ? [B] extends [A] ? true : false : false;

Deno.test("the JSON shapes of mail describe the documented types", () => {
  // These lines do not compile when a shape and its type drift apart.
  const same: [
    Same<Static<typeof AddressShape>, Address>,
    Same<Static<typeof AttachmentShape>, Attachment>,
    Same<Static<typeof MailMessageShape>, MailMessage>,
  ] = [true, true, true];
  assertEquals(same, [true, true, true]);
  assertEquals(
    [AddressShape, AttachmentShape, MailMessageShape].map((shape) => shape.$id),
    ["mail.Address", "mail.Attachment", "mail.Message"],
  );
});
