import { assertEquals, assertThrows } from "@std/assert";
import { isAllowed, mayResolve, parseOriginPattern } from "./allow.ts";

const patterns = (...texts: string[]) => texts.map(parseOriginPattern);

Deno.test("an address is allowed when scheme, host and port are those of a pattern", () => {
  const rows: [pattern: string, address: string, allowed: boolean][] = [
    ["http://localhost:*", "http://localhost:3000/a?b", true],
    ["http://localhost:*", "http://LOCALHOST/", true],
    ["http://localhost:*", "https://localhost:3000/", false],
    ["http://localhost:*", "http://localhost.example.com:3000/", false],
    ["http://localhost:*", "http://localhost@example.com/", false],
    ["http://localhost:*", "http://127.0.0.1:3000/", false],
    ["http://127.0.0.1:*", "http://2130706433:80/", true],
    ["http://app.test", "http://app.test:80/", true],
    ["http://app.test", "http://app.test:8080/", false],
    ["https://*.app.test", "https://a.app.test/", true],
    ["https://*.app.test", "https://a.b.app.test/", false],
    ["https://*.app.test", "https://app.test/", false],
    ["http://[::1]:*", "http://[::1]:3000/", true],
    ["mllp://localhost:*", "mllp://localhost:2576", true],
    ["http://localhost:*", "ftp://localhost/", false],
    ["http://localhost:*", "localhost:3000", false],
  ];
  for (const [pattern, address, allowed] of rows) {
    assertEquals([address, isAllowed(address, patterns(pattern))], [address, allowed]);
  }
});

Deno.test("an invalid origin is refused with the expected form", () => {
  const wrong = [
    "localhost",
    "http://",
    "http://a/b",
    "ftp://a",
    "http://*",
    "http://a:99999",
    "*",
  ];
  for (const text of wrong) {
    assertThrows(() => parseOriginPattern(text), RangeError, `not "${text}"`);
  }
});

Deno.test("a local name leads to this machine only, and no name to a special address", () => {
  const rows: [host: string, address: string, allowed: boolean][] = [
    ["localhost", "127.0.0.1", true],
    ["localhost", "::1", true],
    ["localhost", "10.0.0.1", false],
    ["a.localhost", "192.0.2.1", false],
    ["app.test", "10.0.0.1", true],
    ["app.test", "169.254.169.254", false],
    ["app.test", "::ffff:169.254.169.254", false],
    ["app.test", "::ffff:a9fe:a9fe", false],
    ["app.test", "::ffff:0:a9fe:a9fe", false],
    ["app.test", "::a9fe:a9fe", false],
    ["app.test", "64:ff9b::169.254.169.254", false],
    ["app.test", "64:ff9b:1::a9fe:a9fe", false],
    ["app.test", "64:ff9b::c000:201", true],
    ["app.test", "2002:a9fe:a9fe::1", false],
    ["app.test", "2002:c000:201::1", true],
    ["app.test", "fd00:ec2:0:0:0:0:0:254", false],
    ["app.test", "0:0:0:0:0:0:0:0", false],
    ["app.test", "::ffff:10.0.0.1", true],
    ["app.test", "::1", true],
    ["app.test", "fd00::1", true],
    ["app.test", "fe80::1", false],
    ["app.test", "fe80::1%eth0", false],
    ["app.test", "0.0.0.0", false],
    ["169.254.169.254", "169.254.169.254", true],
  ];
  for (const [host, address, allowed] of rows) {
    assertEquals([host, address, mayResolve(host, address)], [host, address, allowed]);
  }
});
