import { assertEquals, assertThrows } from "@std/assert";
import { origins } from "./origins.ts";

const option = origins("Origins");

Deno.test("origins() accepts what browsers send as Origin", () => {
  const valid = [
    "https://app.example.com",
    "http://localhost:3000",
    "http://192.168.1.5:8080",
    "http://[::1]:3000",
    "capacitor://localhost",
    "chrome-extension://abcdefghijklmnop",
  ];
  assertEquals(option.check(valid), valid);
  assertEquals(option.parse(valid.join(" , ")), valid);
  assertEquals(option.fallback, []);
});

Deno.test("origins() refuses other values, and suggests the intended one", () => {
  const cases: readonly (readonly [given: string, meant?: string])[] = [
    ["https://app.example.com/", "https://app.example.com"],
    ["https://app.example.com/a?b", "https://app.example.com"],
    ["https://APP.example.com", "https://app.example.com"],
    ["https://app.example.com:443", "https://app.example.com"],
    ["http://a:80", "http://a"],
    ["app.example.com", "https://app.example.com"],
    ["localhost:3000", "https://localhost:3000"],
    ["https://user@app.example.com", "https://app.example.com"],
    ["https://münchen.example", "https://xn--mnchen-3ya.example"],
    ["null"],
    ["*"],
    ["https://*.example.com"],
    ["https://"],
    [""],
  ];
  for (const [given, meant] of cases) {
    const error = assertThrows(() => option.check([given]), RangeError, `not "${given}"`);
    const hint = /did you mean "(.*)"/.exec(error.message)?.[1];
    assertEquals([given, hint], [given, meant]);
  }
});
