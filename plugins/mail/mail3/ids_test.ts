import { assert, assertEquals, assertThrows } from "@std/assert";
import { fc } from "../../../tests/support/fast_check.ts";
import { fuzzed } from "../../../tests/support/fuzz.ts";
import {
  decodeAttachmentId,
  decodeMessageId,
  encodeAttachmentId,
  encodeMessageId,
  isUuid,
} from "./ids.ts";

const UUID_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const eventIds = fc.array(fc.constantFrom(..."0123456789abcdef"), {
  minLength: 24,
  maxLength: 24,
}).map((digits) => digits.join(""));

Deno.test("encodeMessageId() returns a version 4 UUID that decodes to the event id, in any case", () => {
  fc.assert(
    fc.property(eventIds, (eventId) => {
      const id = encodeMessageId(eventId);
      assert(UUID_V4.test(id), id);
      assertEquals(decodeMessageId(id), eventId);
      assertEquals(decodeMessageId(id.toUpperCase()), eventId);
      assertEquals(decodeAttachmentId(id), undefined);
    }),
    fuzzed(),
  );
});

Deno.test("encodeAttachmentId() keeps the event and the index apart from message ids", () => {
  fc.assert(
    fc.property(eventIds, fc.integer({ min: 0, max: 0xffffff }), (eventId, index) => {
      const id = encodeAttachmentId(eventId, index);
      assert(UUID_V4.test(id), id);
      assertEquals(decodeAttachmentId(id), { eventId, index });
      assertEquals(decodeMessageId(id), undefined);
    }),
    fuzzed(),
  );
});

Deno.test("decodeMessageId() rejects a foreign UUID and other text", () => {
  for (
    const text of [
      "49a3999c-0ce1-4ea6-ab68-afcd6dc2e794",
      "49a3999c-0ce1-1ea6-8b68-afcd6d6d3a17",
      "",
      "metrics",
      "019e0000000000000000aaaa",
    ]
  ) {
    assertEquals(decodeMessageId(text), undefined, text);
  }
  assert(isUuid("49A3999C-0ce1-4ea6-ab68-afcd6dc2e794"));
  assert(!isUuid("49a3999c0ce14ea6ab68afcd6dc2e794"));
});

Deno.test("ids refuse input that would not decode", () => {
  assertThrows(() => encodeMessageId("0123"), RangeError, "24 lower-case hex");
  assertThrows(() => encodeMessageId("0".repeat(23) + "G"), RangeError);
  for (const index of [-1, 0.5, 0x1000000]) {
    assertThrows(() => encodeAttachmentId("0".repeat(24), index), RangeError, "0 to 16777215");
  }
});
