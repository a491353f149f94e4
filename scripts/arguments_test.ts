import { assertEquals } from "@std/assert";
import { refusal } from "./arguments.ts";

Deno.test("a task refuses an argument that it does not know, and names the nearest one", () => {
  assertEquals(refusal([], ["--check"]), undefined);
  assertEquals(refusal(["--check"], ["--check"]), undefined);
  assertEquals(
    refusal(["--check", "--chekc"], ["--check", "--all"]),
    'Cannot use "--chekc": did you mean --check? Valid arguments are --check, --all',
  );
  assertEquals(refusal(["--help"], []), 'Cannot use "--help": there are no valid arguments');
});
