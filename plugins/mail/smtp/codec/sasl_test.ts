import { assertEquals, assertThrows } from "@std/assert";
import { WireError } from "../../../../core/bytes/decoder.ts";
import { decodeLogin, decodePlain, decodeResponse } from "./sasl.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

Deno.test("PLAIN returns user name and password", () => {
  assertEquals(decodePlain(decodeResponse("AGFkYQBzM2NyZXQ=")), {
    mechanism: "PLAIN",
    username: "ada",
    password: "s3cret",
  });
});

Deno.test("PLAIN returns an identity to act as that differs from the user name", () => {
  assertEquals(decodePlain(bytes("boss\0ada\0pw")).authzid, "boss");
  assertEquals(decodePlain(bytes("ada\0ada\0pw")).authzid, undefined);
});

Deno.test("PLAIN without its two NULs is refused", () => {
  for (const message of ["", "ada", "ada\0pw", "a\0b\0c\0d"]) {
    assertThrows(() => decodePlain(bytes(message)), WireError, "NUL");
  }
});

Deno.test("LOGIN accepts UTF-8, else Latin-1", () => {
  const { username, password } = decodeLogin(bytes("müller"), Uint8Array.of(0x70, 0xfc));
  assertEquals([username, password], ["müller", "pü"]);
});

Deno.test("a response is base64, and = is an empty one", () => {
  assertEquals(decodeResponse("="), new Uint8Array());
  assertEquals(decodeResponse(""), new Uint8Array());
  for (const text of ["a", "abc", "ab=c", "a b=", "****", "=AAA"]) {
    assertThrows(() => decodeResponse(text), WireError, "base64");
  }
});
