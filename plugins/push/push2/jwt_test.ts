import { assertEquals } from "@std/assert";
import { fc } from "../../../tests/support/fast_check.ts";
import { fuzzed } from "../../../tests/support/fuzz.ts";
import { readProviderToken } from "./jwt.ts";

const NOW = new Date("2026-01-31T12:00:00Z");
const IAT = NOW.getTime() / 1000 - 60;

function encode(value: unknown): string {
  return btoa(JSON.stringify(value)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

function token(header: unknown, claims: unknown): string {
  return `${encode(header)}.${encode(claims)}.signature`;
}

Deno.test("a provider token is read, with or without its scheme", () => {
  const jwt = token({ alg: "ES256", kid: "ABC123DEFG" }, { iss: "TEAM123456", iat: IAT });
  const expected = {
    alg: "ES256",
    kid: "ABC123DEFG",
    iss: "TEAM123456",
    iat: IAT,
    issued_at: "2026-01-31T11:59:00.000Z",
    stale: false,
  };
  for (const text of [`bearer ${jwt}`, `Bearer ${jwt}`, jwt]) {
    assertEquals(readProviderToken(text, NOW), expected);
  }
});

Deno.test("the time of issue may be a number or text, in seconds or milliseconds", () => {
  for (const iat of [IAT, String(IAT), IAT * 1000, String(IAT * 1000)]) {
    const read = readProviderToken(token({}, { iat }), NOW);
    assertEquals([read?.iat, read?.issued_at], [iat, "2026-01-31T11:59:00.000Z"]);
  }
  for (const iat of ["soon", "", -5, 1e300, null, {}]) {
    assertEquals(readProviderToken(token({}, { iat }), NOW)?.issued_at, undefined);
  }
});

Deno.test("a token is stale after an hour", () => {
  const aged = (seconds: number) =>
    readProviderToken(token({}, { iat: NOW.getTime() / 1000 - seconds }), NOW)?.stale;
  assertEquals([aged(3600), aged(3601), aged(-100)], [false, true, false]);
});

Deno.test("a missing token is undefined, and a malformed one says why", () => {
  assertEquals(readProviderToken(null, NOW), undefined);
  assertEquals(readProviderToken("bearer ", NOW), undefined);
  assertEquals(readProviderToken("Basic dTpw", NOW), {
    stale: false,
    error: "Expected three parts joined by dots, found 1",
  });
  assertEquals(
    readProviderToken(`bearer !.${encode([])}.x`, NOW)?.error,
    [
      "Expected base64url of a JSON object as header and claims",
    ][0],
  );
  assertEquals(readProviderToken(`bearer ${encode({ kid: "K" })}.x.y`, NOW), {
    kid: "K",
    stale: false,
    error: "Expected base64url of a JSON object as claims",
  });
});

Deno.test("any text is read without an error", () => {
  const part = fc.oneof(fc.string(), fc.json().map((text) => btoa(encodeURIComponent(text))));
  fc.assert(
    fc.property(part, part, (a, b) => {
      readProviderToken(`bearer ${a}.${b}.c`, NOW);
      readProviderToken(a, NOW);
    }),
    fuzzed(200),
  );
});
