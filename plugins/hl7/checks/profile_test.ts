import { assertThrows } from "@std/assert";
import { ConfigError } from "../../../core/errors.ts";
import { parseProfile } from "./profile.ts";

for (
  const [text, says] of [
    ["[mesages]", 'Cannot use mesages of the profile "p.toml": unknown key; did you mean'],
    ["messages = 1", "Cannot use messages of the profile"],
    ['[messages."adt"]\nsegments = []', 'expected a name such as "ADT^A01"'],
    ['[messages.ADT]\nsegments = ["PIDX"]', "expected the name of a segment"],
    ["[segments.PID]\nrequired = [0]", "expected an integer from 1"],
    ["[segments.PID]\nneeded = [1]", 'segments."PID".needed of the profile'],
    ["[segments.PID]", "expected a list"],
    ['[fields."PID-8"]\nvalues = [1]', "expected text in quotes"],
    ['[fields."PID-8"]\nmax_length = "1"', "expected an integer from 1"],
    ["[fields", 'Cannot read "p.toml", line 1'],
  ] as const
) {
  Deno.test(`the profile ${JSON.stringify(text)} is refused`, () => {
    assertThrows(() => parseProfile(text, "p.toml"), ConfigError, says);
  });
}
