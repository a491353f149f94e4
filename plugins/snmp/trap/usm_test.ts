import { assertEquals, assertMatch, assertThrows } from "@std/assert";
import { fc } from "../../../tests/support/fast_check.ts";
import { fuzzed } from "../../../tests/support/fuzz.ts";
import { WireError } from "../../../core/bytes/decoder.ts";
import { AUTH, decodeV3, encodeV3 } from "./codec/message_v3.ts";
import { Engine } from "./engine.ts";
import { readDatagram } from "./trap.ts";
import { authenticate, authenticationBytes, decrypt, encrypt, readUser, Users } from "./usm.ts";

/** RFC 3414 appendix A.3. */
const PASSWORD = "maplesyrup";
const ENGINE = Uint8Array.fromHex("000000000000000000000002");

Deno.test("keys are localized as in the examples of RFC 3414", () => {
  for (
    const [auth, key] of [
      ["md5", "526f5eed9fcce26f8964c2930787d82b"],
      ["sha", "6695febc9288e36282235fc7151f128497b38f3f"],
    ]
  ) {
    const user = readUser({ name: "a", auth, auth_password: PASSWORD });
    assertEquals(new Users([user]).keysOf(user, ENGINE).auth.toHex(), key);
  }
});

Deno.test("encrypted data decrypts to itself, with every protocol and at any length", () => {
  for (const priv of ["des", "aes", "aes192", "aes256"] as const) {
    const user = readUser({ name: "a", auth_password: PASSWORD, priv });
    const key = new Users([user]).keysOf(user, ENGINE).priv!;
    const about = { boots: 7, time: 5000, salt: Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8) };
    for (const length of [1, 8, 15, 16, 17, 100]) {
      const data = new Uint8Array(length).fill(9);
      const opened = decrypt(encrypt(data, user, { key, about }), user, { key, about });
      assertEquals(opened.subarray(0, length), data, `${priv} ${length}`);
    }
  }
});

Deno.test("a user that cannot be used is refused by key", () => {
  const good = { name: "ada", auth_password: "analytical" };
  const rows: readonly (readonly [Record<string, unknown>, string])[] = [
    [{}, "expected name"],
    [{ ...good, nmae: 1 }, 'did you mean "name"?'],
    [{ ...good, auth: "sha3" }, "md5, sha, sha224"],
    [{ ...good, auth_password: "short" }, "8 to 1024"],
    [{ ...good, priv: "3des" }, "des, aes, aes192, aes256"],
    [{ ...good, priv_password: "short" }, "8 to 1024"],
  ];
  for (const [table, error] of rows) assertThrows(() => readUser(table), Error, error);
  assertEquals(readUser({ ...good, priv: "aes" }).priv_password, "analytical");
});

Deno.test("any bytes of version 3 become a trap or a report, without an error", () => {
  const users = [readUser({ name: "ada", auth_password: PASSWORD, priv: "des" })];
  const engine = new Engine({ users, id: ENGINE, now: () => new Date(1e12) });
  const seed = Uint8Array.fromHex(
    "303e020103301102040c1d2e3f020300ffe304010402010304103" +
      "00e0400020100020100040004000400301404000400a00e020400000001020100020100" + "3000",
  );
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 80 }), fc.nat(70), (bytes, at) => {
      const changed = seed.slice();
      changed.set(bytes.subarray(0, Math.max(0, changed.length - at)), Math.min(at, seed.length));
      for (const one of [bytes, changed]) {
        const { trap, report } = readDatagram(one, engine);
        assertEquals(trap !== undefined || report !== undefined, true);
      }
    }),
    fuzzed(),
  );
});

Deno.test("an engine id or a user of more than 32 octets is refused: RFC 3411 section 5", () => {
  const message = (engine: number, user: number): Uint8Array =>
    encodeV3({
      id: 1,
      flags: 1,
      security: {
        engineId: new Uint8Array(engine),
        boots: 1,
        time: 1,
        user: "a".repeat(user),
      },
      authenticationBytes: 12,
      privacy: new Uint8Array(),
      data: Uint8Array.of(0x30, 0),
    }).bytes;
  assertEquals(decodeV3(message(32, 32)).user.length, 32);
  assertThrows(() => decodeV3(message(33, 1)), WireError, "the engine id: it has 33 octets");
  assertThrows(() => decodeV3(message(5, 33)), WireError, "the user name: it has 33 octets");
});

/** A scoped PDU with an SNMPv2 trap without bindings. */
const SCOPED = Uint8Array.fromHex("301404000400a70e0204000000010201000201003000");

Deno.test("a trap that is older than others of its engine is captured as late: RFC 3414 section 3.2", () => {
  const user = readUser({ name: "ada", auth_password: PASSWORD });
  const keys = new Users([user]);
  let seconds = 1e9;
  const engine = new Engine({ users: [user], id: ENGINE, now: () => new Date(seconds * 1000) });
  const send = (boots: number, time: number, from = "8000000001020304"): string | undefined => {
    const engineId = Uint8Array.fromHex(from);
    const { bytes, authenticationAt } = encodeV3({
      id: 1,
      flags: AUTH,
      security: { engineId, boots, time, user: "ada" },
      authenticationBytes: authenticationBytes(user),
      privacy: new Uint8Array(),
      data: SCOPED,
    });
    bytes.set(authenticate(bytes, user, keys.keysOf(user, engineId)), authenticationAt);
    const { trap } = readDatagram(bytes, engine);
    assertEquals(trap?.decode_error, undefined);
    return trap?.v3?.late;
  };
  assertEquals(send(3, 1000), undefined);
  // The network may change their order.
  assertEquals([send(3, 990), send(3, 850)], [undefined, undefined]);
  assertMatch(send(3, 849)!, /^it is 151 seconds old, at most 150 are allowed/);
  seconds += 200;
  assertMatch(send(3, 1000)!, /it is 200 seconds old/);
  assertEquals(send(3, 1060), undefined);
  assertMatch(send(2, 5000)!, /it is of start 2 of its engine, after messages of start 3/);
  assertEquals([send(4, 0), send(4, 1)], [undefined, undefined]);
  assertMatch(send(0x7fff_ffff, 1)!, /counted as many starts as it can/);
  assertEquals(send(1, 1, "8000000001020305"), undefined);
});
