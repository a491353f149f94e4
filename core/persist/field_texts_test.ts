import { assertEquals } from "@std/assert";
import type { HeaderPairs } from "../events/event.ts";
import { FieldTexts } from "./field_texts.ts";

/** Header fields that count how often they are encoded. */
class CountedFields {
  encoded = 0;
  readonly pairs: HeaderPairs;

  constructor(value: string) {
    const toJSON = (): string => {
      this.encoded++;
      return value;
    };
    this.pairs = [["X-Value", { toJSON } as unknown as string]];
  }
}

const other = (n: number): HeaderPairs => [["X-Other", `${n}`]];

Deno.test("FieldTexts encodes header fields once, also when others come in between", () => {
  const texts = new FieldTexts();
  const fields = new CountedFields("1");
  for (let i = 0; i < 100; i++) {
    assertEquals(texts.get(fields.pairs), '[["X-Value","1"]]');
    assertEquals(texts.get(other(i)), `[["X-Other","${i}"]]`);
  }
  assertEquals(fields.encoded, 1);
});

Deno.test("FieldTexts keeps no long text, and a limited number of others", () => {
  const texts = new FieldTexts();
  const long = new CountedFields("x".repeat(2000));
  for (let i = 0; i < 3; i++) texts.get(long.pairs);
  assertEquals(long.encoded, 3);

  const forgotten = new CountedFields("1");
  texts.get(forgotten.pairs);
  for (let i = 0; i < 2000; i++) texts.get(other(i));
  texts.get(forgotten.pairs);
  assertEquals(forgotten.encoded, 2);
});
