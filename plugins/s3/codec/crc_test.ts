import { assertEquals } from "@std/assert";
import { fc } from "../../../tests/support/fast_check.ts";
import { crc32c, crc64nvme } from "./crc.ts";

const CHECK = new TextEncoder().encode("123456789");

function hex({ high, low }: { high: number; low: number }): string {
  return [high, low].map((half) => half.toString(16).padStart(8, "0")).join("");
}

Deno.test("CRC32C and CRC-64/NVME of the check string are those of the standards", () => {
  assertEquals(crc32c(CHECK), 0xe3069283);
  assertEquals(hex(crc64nvme(CHECK)), "ae8b14860a799888");
  // RFC 3720 appendix B.4: 32 bytes of zeroes, of ones, and counting up.
  assertEquals(crc32c(new Uint8Array(32)), 0x8a9136aa);
  assertEquals(crc32c(new Uint8Array(32).fill(0xff)), 0x62a8ab43);
  assertEquals(crc32c(Uint8Array.from({ length: 32 }, (_, i) => i)), 0x46dd794e);
});

Deno.test("a CRC continued after any cut is that of the whole", () => {
  fc.assert(fc.property(fc.uint8Array({ maxLength: 100 }), fc.nat(100), (bytes, at) => {
    const [head, tail] = [bytes.slice(0, at), bytes.slice(at)];
    assertEquals(crc32c(tail, crc32c(head)), crc32c(bytes));
    assertEquals(crc64nvme(tail, crc64nvme(head)), crc64nvme(bytes));
  }));
});
