import { assertEquals, assertThrows } from "@std/assert";
import { fc } from "../../tests/support/fast_check.ts";
import { fuzzed } from "../../tests/support/fuzz.ts";
import {
  boolean,
  bytes,
  choice,
  hostname,
  integer,
  list,
  optionalDuration,
  optionalHostname,
  optionalPath,
  optionalPort,
  optionalText,
  type OptionSpec,
  port,
  seconds,
  text,
} from "./spec.ts";

interface Row {
  readonly name: string;
  readonly spec: OptionSpec<unknown>;
  readonly parses: Readonly<Record<string, unknown>>;
  readonly refuses: readonly string[];
  readonly checks: readonly unknown[];
  readonly faults: readonly unknown[];
}

const ROWS: readonly Row[] = [
  {
    name: "port",
    spec: port("", 1),
    parses: { "0": 0, "65535": 65_535, " 25 ": 25 },
    refuses: ["", "65536", "-1", "1.5", "1e3", "0x10", "port", "99999999999999999999"],
    checks: [0, 65_535],
    faults: [65_536, -1, 1.5, "25", true, null, NaN],
  },
  {
    name: "optional port",
    spec: optionalPort(""),
    parses: { "465": 465 },
    refuses: ["off"],
    checks: [0],
    faults: ["465", false],
  },
  {
    name: "integer",
    spec: integer("", 5, { min: 1 }),
    parses: { "1": 1, "9007199254740991": 9_007_199_254_740_991 },
    refuses: ["0", "9007199254740992", "many"],
    checks: [1],
    faults: [0, Infinity, "1"],
  },
  {
    name: "seconds",
    spec: seconds("", 5),
    parses: { "86400": 86_400 },
    refuses: ["0", "5s", "86401"],
    checks: [1],
    faults: [0, 0.5],
  },
  {
    name: "optional duration",
    spec: optionalDuration(""),
    parses: {
      "90s": 90_000,
      " 30m ": 1_800_000,
      "1h30m": 5_400_000,
      "7d": 604_800_000,
      "1d12h": 129_600_000,
      "0": undefined,
      "": undefined,
    },
    refuses: ["7", "d", "-1h", "7 days", "0s", "1d1d", "12h1d", "99999999999999d"],
    checks: [],
    faults: [7, -1, true, null, "7", ["7d"]],
  },
  {
    name: "bytes",
    spec: bytes("", 5),
    parses: {
      "0": 0,
      "1048576": 1_048_576,
      "256MB": 256_000_000,
      "64MiB": 67_108_864,
      "1.5 kb": 1500,
      "2GiB": 2_147_483_648,
    },
    refuses: ["", "-1", "1TB", "MB", "1.0001B", "9999999999GB"],
    checks: [0, 1_048_576],
    faults: [-1, 0.5, true, "much", []],
  },
  {
    name: "boolean",
    spec: boolean("", false),
    parses: {
      "": true,
      "1": true,
      "T": true,
      "True": true,
      "0": false,
      "f": false,
      "FALSE": false,
    },
    refuses: ["yes", "no", "on", "2"],
    checks: [true, false],
    faults: ["true", 1, 0],
  },
  {
    name: "text",
    spec: text("", "x"),
    parses: { "": "", " a ": " a " },
    refuses: [],
    checks: ["", "a"],
    faults: [1, true, null],
  },
  {
    name: "optional text",
    spec: optionalText(""),
    parses: { "": undefined, "a": "a" },
    refuses: [],
    checks: ["a"],
    faults: [1, ["a"]],
  },
  {
    name: "optional path",
    spec: optionalPath(""),
    parses: { "": undefined, "./a": "./a" },
    refuses: [],
    checks: ["a"],
    faults: [1],
  },
  {
    name: "hostname",
    spec: hostname("", "localhost"),
    parses: {
      "127.0.0.1": "127.0.0.1",
      "::": "::",
      "::1": "::1",
      "fe80::1%eth0": "fe80::1%eth0",
      "my-host.example": "my-host.example",
    },
    refuses: ["", " ", "a b", "http://a", "a:80", "[::1]", "127.0.0.1:80", "a/b"],
    checks: ["0.0.0.0"],
    faults: ["", 1, "a:80"],
  },
  {
    name: "optional hostname",
    spec: optionalHostname(""),
    parses: { "::": "::" },
    refuses: [""],
    checks: ["localhost"],
    faults: [false],
  },
  {
    name: "choice",
    spec: choice("", ["memory", "filesystem"], "memory"),
    parses: { "filesystem": "filesystem" },
    refuses: ["", "Memory", "disk"],
    checks: ["memory"],
    faults: ["disk", 1],
  },
  {
    name: "list",
    spec: list(""),
    parses: { "": [], "a": ["a"], " a , b,,": ["a", "b"] },
    refuses: [],
    checks: [[], ["a", "b"]],
    faults: ["a,b", [1], {}],
  },
];

for (const { name, spec, parses, refuses, checks, faults } of ROWS) {
  Deno.test(`${name}: texts are read or refused`, () => {
    for (const [given, wanted] of Object.entries(parses)) assertEquals(spec.parse(given), wanted);
    for (const given of refuses) assertRefused(() => spec.parse(given), given);
  });

  Deno.test(`${name}: values of a file are accepted or refused`, () => {
    for (const value of checks) assertEquals(spec.check(value), value);
    for (const value of faults) assertRefused(() => spec.check(value), value);
  });

  Deno.test(`${name}: no text and no value makes it throw another error`, () => {
    fc.assert(
      fc.property(fc.string(), (given) => assertReadOrRefused(() => spec.parse(given))),
      fuzzed(),
    );
    fc.assert(
      fc.property(fc.anything(), (given) => assertReadOrRefused(() => spec.check(given))),
      fuzzed(),
    );
  });
}

Deno.test("an empty optional text means none", () => {
  assertEquals(optionalText("").check(""), undefined);
  assertEquals(optionalPath("").check(""), undefined);
});

function assertRefused(read: () => unknown, given: unknown): void {
  const error = assertThrows(read, Error, "expected ", String(given));
  assertEquals(error instanceof TypeError || error instanceof RangeError, true);
}

function assertReadOrRefused(read: () => unknown): void {
  try {
    read();
  } catch (error) {
    if (error instanceof TypeError || error instanceof RangeError) return;
    throw error;
  }
}
