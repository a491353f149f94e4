import { assert, assertEquals } from "@std/assert";
import { fc } from "../../../tests/support/fast_check.ts";
import { fuzzed } from "../../../tests/support/fuzz.ts";
import { readPost } from "./request.ts";

const encode = (text: string) => new TextEncoder().encode(text);

Deno.test("any card attached to a message keeps its bytes", () => {
  const card = fc.json({ maxDepth: 4 }).filter((json) => json.startsWith("{"));
  const space = fc.constantFrom("", " ", "\n\t");
  fc.assert(
    fc.property(fc.array(card, { minLength: 1, maxLength: 5 }), space, (cards, space) => {
      const attachments = cards.map((json) =>
        `{"content":${space}${json}${space},"contentType":"application/vnd.x.card.adaptive"}`
      );
      const body = `{"attachments":[${attachments.join(`,${space}`)}],"type":"message"}`;
      const post = readPost(encode(body), null);
      assert(post.ok);
      assertEquals(post.value.contents.map(({ json }) => json), cards);
    }),
    fuzzed(),
  );
});

Deno.test("any bytes are a post or a refusal in the vendor's words", () => {
  const type = fc.constantFrom(null, "application/json", "text/plain");
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), type, (body, type) => {
      const post = readPost(body, type);
      assert(post.ok ? post.value.text !== "" : post.refusal.message.endsWith("."));
    }),
    fuzzed(200),
  );
});

Deno.test("any JSON is a post or a refusal", () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 6 }), (json) => {
      const post = readPost(encode(json), "application/json");
      assert(!post.ok || post.value.generation === "connector");
    }),
    fuzzed(),
  );
});
