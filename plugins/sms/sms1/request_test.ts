import { assert, assertEquals } from "@std/assert";
import { fc } from "../../../tests/support/fast_check.ts";
import { fuzzed } from "../../../tests/support/fuzz.ts";
import { formFields } from "../../../core/codec/form.ts";
import { readCreate, readUpdate } from "./request.ts";

const VALID = [["To", "+15558675310"], ["From", "+15017122661"], ["Body", "Hi"]] as const;

Deno.test("settings of a message are stored as sent, by their names in snake case", () => {
  const request = readCreate(formFields([
    ...VALID,
    ["StatusCallback", "https://example.com/cb"],
    ["SendAsMms", "true"],
    ["MaxPrice", "0.10"],
    ["PersistentAction", "a"],
    ["PersistentAction", "b"],
    ["Unheard", "of"],
  ]));
  assert(request.ok);
  assertEquals(request.value.meta, {
    status_callback: "https://example.com/cb",
    send_as_mms: "true",
    max_price: "0.10",
    persistent_action: ["a", "b"],
  });
});

Deno.test("ten media links are accepted, an eleventh is not; blank ones do not count", () => {
  const links = (count: number) =>
    Array.from({ length: count }, (_, i) => ["MediaUrl", `https://e.com/${i}.png`] as const);
  const ten = readCreate(formFields([...VALID, ["MediaUrl", " "], ...links(10)]));
  assert(ten.ok);
  assertEquals(ten.value.draft.media.length, 10);
  const eleven = readCreate(formFields([...VALID, ...links(11)]));
  assertEquals(eleven.ok ? 0 : eleven.refusal.code, 21623);
});

Deno.test("a body is stored as sent, including white space", () => {
  const request = readCreate(formFields([VALID[0], VALID[1], ["Body", "  Hi \n"]]));
  assert(request.ok);
  assertEquals(request.value.draft.body, "  Hi \n");
});

Deno.test("any form is a message or one of the vendor's refusals", () => {
  const name = fc.constantFrom(
    "To",
    "From",
    "Body",
    "MediaUrl",
    "MessagingServiceSid",
    "Status",
    "X",
  );
  const value = fc.oneof(
    fc.string(),
    fc.constantFrom("+15558675310", "Acme", "", " ", "whatsapp:x", "data:,x"),
  );
  fc.assert(
    fc.property(fc.array(fc.tuple(name, value), { maxLength: 14 }), (pairs) => {
      const form = formFields(pairs);
      const created = readCreate(form);
      if (created.ok) {
        assert(created.value.draft.to.trim() !== "");
        assert([...created.value.draft.body].length <= 1600);
      } else assertEquals([created.refusal.status, created.refusal.code >= 21000], [400, true]);
      const updated = readUpdate(form);
      assert(updated.ok || updated.refusal.code === 20001);
    }),
    fuzzed(300),
  );
});
