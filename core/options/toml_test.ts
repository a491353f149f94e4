import { assert, assertEquals, assertThrows } from "@std/assert";
import { fc } from "../../tests/support/fast_check.ts";
import { fuzzed } from "../../tests/support/fuzz.ts";
import { PLAIN_PLUGINS } from "../../tests/support/plain_plugins.ts";
import { ConfigError } from "../errors.ts";
import { resolveSettings } from "./resolve.ts";
import { parseToml } from "./toml.ts";

const problem = (text: string): string =>
  assertThrows(() => parseToml(text, "x.toml"), ConfigError).message;

Deno.test("an error in the file is reported with its position", () => {
  const table = [
    ["a = \n", "line 1, column 5: invalid value"],
    ["[ui\nport = 1", "line 1, column 4: illegal character in key"],
    ['a = "open', "line 1, column 5: unfinished string"],
    ["a = 08", "line 1, column 5: illegal leading zero"],
    ['# one\nb = 1\na = "\\q"\n', "line 3, column 7: unrecognised escape sequence"],
    ["a = 1\nb = 2\na = 3", "line 3, column 1: trying to redefine"],
    ["[ui]\na = 1\n[ui]\n", "line 3, column 2: trying to redefine"],
    ["a.b = 1\na = 2", "line 2, column 1: trying to redefine"],
    ["a = 1 b = 2", "line 1, column 7: each key-value declaration must be followed by an end"],
    ["a = 2026-02-30T00:00:00Z", "line 1, column 5: "],
  ] as const;
  for (const [text, message] of table) {
    const found = problem(text);
    assert(found.startsWith(`Cannot read "x.toml", ${message}`), `${text}: ${found}`);
    assertEquals(found.split("\n").length, 1, text);
  }
});

Deno.test("tables may come in any order, keys may be dotted, and date-times are dates", () => {
  assertEquals(JSON.parse(JSON.stringify(parseToml("[a.b]\nc = 1\n[a]\nd = 2", "x"))), {
    a: { b: { c: 1 }, d: 2 },
  });
  assertEquals(JSON.parse(JSON.stringify(parseToml('a.b.c = 1\na."x.y" = [2]', "x"))), {
    a: { b: { c: 1 }, "x.y": [2] },
  });
  const { at, list } = parseToml(
    "at = 2026-01-31T12:00:00+01:00\nlist = [{ at = 2026-01-31T11:00:00Z }]",
    "x",
  );
  assert(at instanceof Date);
  assertEquals(at.toISOString(), "2026-01-31T11:00:00.000Z");
  assertEquals((list as { at: Date }[])[0]?.at, at);
});

Deno.test("a setting takes a date-time only with its offset", () => {
  const time = (value: string): string | undefined =>
    resolveSettings(PLAIN_PLUGINS, {
      file: { path: "x.toml", tree: parseToml(`[repeat]\ntime = ${value}`, "x.toml") },
    }).core.repeat.time;
  assertEquals(time("2026-01-31T12:00:00Z"), "2026-01-31T12:00:00.000Z");
  for (const value of ["2026-01-31", "12:00:00", "2026-01-31T12:00:00"]) {
    assertThrows(() => time(value), ConfigError, "expected a time such as");
  }
});

Deno.test("an unknown key is named, however deep its table is", () => {
  const refused = (text: string, message: string) =>
    assertThrows(
      () =>
        resolveSettings(PLAIN_PLUGINS, {
          file: { path: "x.toml", tree: parseToml(text, "x.toml") },
        }),
      ConfigError,
      message,
    );
  refused("[plugins.mail.providers.smtp]\nprot = 1", 'unknown key "prot"; did you mean port?');
  refused("[plugins.mail.providers.smpt]\nport = 1", 'unknown mail provider "smpt"; did you mean');
  refused("plugins.mail.providers.smtp.prot = 1", 'unknown key "prot"; did you mean port?');
  refused("[plugins.mial]\nenabled = true", 'unknown plugin "mial"; did you mean mail?');
  refused('[storage.plugins.files]\nbakend = "memory"', 'unknown key "bakend"; did you mean');
  refused("[storage.plugin_capacity]\nmial = 1", 'unknown plugin "mial"; did you mean mail?');
  refused("[ui.more]\na = 1", 'unknown table "more"');
  refused("[[ui]]\nport = 1", "expected a table, written [ui]");
  refused("ui = { prot = 1 }", 'unknown key "prot"; did you mean port?');
  refused("[ui]\nport = 9223372036854775807", "Cannot read [ui] port = 9223372036854775807n");
  refused("ui = 2026-01-31", "expected a table, written [ui]");
  refused("[plugins.mail.providers.smtp]\n__proto__ = 1", 'unknown key "__proto__"');
});

Deno.test("an error in the file is reported without quoting the file", () => {
  const secret = "hunter2";
  for (
    const line of [
      `password = "${secret}`,
      `password = ${secret}`,
      `password = "${secret}" port = 1`,
      `password = "${secret}\\q"`,
      `${secret} ${secret} = 1`,
      `password = "a"\npassword = "${secret}"`,
      `password = "x\u0001${secret}"`,
      `password = [ "${secret}"`,
      `password = { a = "${secret}"`,
      `port = = 1 # ${secret}`,
      `"${secret} = 1`,
    ]
  ) {
    const text = `[plugins.mail.providers.smtp]\nusername = "${secret}"\n${line}\nd = "${secret}"`;
    assertEquals(problem(text).includes(secret), false, problem(text));
  }
});

Deno.test("any text is a valid file or a reported error", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      try {
        parseToml(text, "x.toml");
      } catch (error) {
        if (!(error instanceof ConfigError)) throw error;
      }
    }),
    fuzzed(),
  );
});
