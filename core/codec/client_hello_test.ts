import { assertEquals } from "@std/assert";
import { clientHello } from "../../tests/support/client_hello.ts";
import { mutate, numbersFrom } from "../../tests/support/fuzz.ts";
import { readClientHello } from "./client_hello.ts";

Deno.test("a ClientHello is complete with its last byte, and has the host that it asks for", () => {
  for (const recordBytes of [16_384, 50, 1]) {
    const bytes = clientHello({ serverName: "Api.Example.com", recordBytes });
    for (let end = 0; end < bytes.length; end++) {
      assertEquals(readClientHello(bytes.subarray(0, end)), undefined, `${recordBytes}, ${end}`);
    }
    assertEquals(readClientHello(bytes), { serverName: "Api.Example.com" });
    const more = new Uint8Array([...bytes, 23, 3, 3, 0, 1, 0]);
    assertEquals(readClientHello(more), { serverName: "Api.Example.com" });
  }
  assertEquals(readClientHello(clientHello()), { serverName: undefined });
});

Deno.test("what is no ClientHello is not waited for", () => {
  const unknown = { serverName: undefined };
  for (const hex of ["160301000402000000", "1703010001", "1603010000", "16030100050100000103"]) {
    assertEquals(readClientHello(Uint8Array.fromHex(hex)), unknown, hex);
  }
});

Deno.test("garbage after a good beginning never throws", () => {
  const random = numbersFrom(1);
  const seeds = [clientHello({ serverName: "localhost" })];
  for (let run = 0; run < 2000; run++) readClientHello(mutate(seeds, random));
});
