import { assertEquals, assertThrows } from "@std/assert";
import { formatAddress, isAddressInUse, parseAddress } from "./address.ts";

for (
  const [text, hostname, port] of [
    ["127.0.0.1:25", "127.0.0.1", 25],
    ["[::1]:65535", "::1", 65_535],
    ["localhost:0", "localhost", 0],
  ] as const
) {
  Deno.test(`address ${text} is read and written`, () => {
    assertEquals(parseAddress(text), { hostname, port });
    assertEquals(formatAddress({ hostname, port }), text);
  });
}

for (const text of ["", "host", "::1:25", "host:99999", "host:", "[::1]", ":25"]) {
  Deno.test(`parseAddress() refuses "${text}"`, () => {
    assertThrows(() => parseAddress(text), SyntaxError, "expected host:port");
  });
}

Deno.test("isAddressInUse() knows both forms of the error, and no other", () => {
  assertEquals(isAddressInUse(new Deno.errors.AddrInUse("x")), true);
  assertEquals(isAddressInUse(Object.assign(new Error("x"), { code: "EADDRINUSE" })), true);
  assertEquals(isAddressInUse(new Deno.errors.PermissionDenied("x")), false);
  assertEquals(isAddressInUse("EADDRINUSE"), false);
});
