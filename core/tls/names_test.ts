import { assertEquals } from "@std/assert";
import { parseIp } from "./names.ts";

const hex = (text: string) =>
  parseIp(text) && [...parseIp(text)!].map((byte) => byte.toString(16).padStart(2, "0")).join("");

const cases: readonly (readonly [text: string, hex: string | undefined])[] = [
  ["127.0.0.1", "7f000001"],
  ["255.255.255.255", "ffffffff"],
  ["256.0.0.1", undefined],
  ["1.2.3", undefined],
  ["::", "00".repeat(16)],
  ["::1", `${"00".repeat(15)}01`],
  ["fe80::1:2", `fe80${"00".repeat(10)}00010002`],
  ["1:2:3:4:5:6:7:8", "00010002000300040005000600070008"],
  ["::ffff:127.0.0.1", `${"00".repeat(10)}ffff7f000001`],
  ["1:2:3:4:5:6:7", undefined],
  ["1:2:3:4:5:6:7:8:9", undefined],
  ["1:2:3:4:5:6:7::8", undefined],
  ["1::2::3", undefined],
  ["12345::", undefined],
  ["localhost", undefined],
  ["cafe", undefined],
  ["::ffff:300.0.0.1", undefined],
];

for (const [text, expected] of cases) {
  Deno.test(`parseIp() reads "${text}" as ${expected}`, () => {
    assertEquals(hex(text), expected);
  });
}
