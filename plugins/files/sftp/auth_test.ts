import { assertEquals } from "@std/assert";
// @ts-types="./ssh2.d.ts"
import type { AuthContext } from "ssh2";
import { type Gate, judge, type Shown } from "./auth.ts";

const OPEN: Gate = { username: undefined, password: undefined, keys: undefined, offerNone: true };

/** Runs one attempt; returns the record, and the methods offered to the client instead. */
async function attempt(
  gate: Partial<Gate>,
  shown: { method: string; password?: string; username?: string },
): Promise<{ shown: Shown | undefined; methods: readonly string[] | "accepted" | undefined }> {
  let methods: readonly string[] | "accepted" | undefined;
  const context = {
    username: "ada",
    ...shown,
    accept: () => methods = "accepted",
    reject: (left: readonly string[]) => methods = left,
    prompt: (_prompts: unknown, answered: (answers: readonly string[]) => void) =>
      answered([shown.password ?? ""]),
  } as unknown as AuthContext;
  return { shown: await judge({ ...OPEN, ...gate }, context), methods };
}

Deno.test("without pinned credentials everybody is admitted, and credentials are recorded", async () => {
  assertEquals((await attempt({}, { method: "none" })).methods, "accepted");
  for (const method of ["password", "keyboard-interactive"]) {
    const { shown } = await attempt({}, { method, password: "s3cret" });
    assertEquals(shown, { method, user: "ada", password: "s3cret", accepted: true });
  }
});

Deno.test("clients can be required to present credentials", async () => {
  const { methods } = await attempt({ offerNone: false }, { method: "none" });
  assertEquals(methods, ["password", "keyboard-interactive", "publickey"]);
  const { shown } = await attempt({ offerNone: false }, { method: "password", password: "x" });
  assertEquals(shown?.accepted, true);
});

Deno.test("pinned names and passwords are checked", async () => {
  const gate = { username: "ada", password: "right" };
  assertEquals((await attempt(gate, { method: "none" })).methods, [
    "password",
    "keyboard-interactive",
  ]);
  const accepted = async (password: string, username = "ada") =>
    (await attempt(gate, { method: "password", password, username })).shown?.accepted;
  assertEquals(await accepted("right"), true);
  assertEquals(await accepted("wrong"), false);
  assertEquals(await accepted("right", "bob"), false);
  const typed = await attempt(gate, { method: "keyboard-interactive", password: "right" });
  assertEquals(typed.shown?.accepted, true);
});

Deno.test("with authorized keys passwords are refused, unless they are pinned too", async () => {
  const keys = new Set<string>();
  const refused = await attempt({ keys }, { method: "password", password: "any" });
  assertEquals([refused.shown?.accepted, refused.methods], [false, ["publickey"]]);
  const both = await attempt({ keys, password: "any" }, { method: "password", password: "any" });
  assertEquals(both.shown?.accepted, true);
  assertEquals((await attempt({ keys }, { method: "none" })).methods, ["publickey"]);
});
