/** `start()` and the matchers, in Vitest. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import "@standin/client/vitest";
import { start } from "@standin/client/node";
import { afterAll, beforeAll, expect, test } from "vitest";
import { send } from "./send.mjs";

let standin;
let own;

beforeAll(async () => {
  standin = await start({ args: ["--instance=of-vitest"] });
  own = standin.namespace("vitest-1");
});

afterAll(() => standin.stop());

test("address, credential and header choose the namespace", async () => {
  await send(standin.ingress, { to: own.address("ada@example.org"), subject: "one" });
  await send(standin.ingress, {
    to: "bob@example.org",
    subject: "two",
    key: own.credential("re_any"),
  });
  await send(standin.ingress, { to: "eve@example.org", subject: "three", headers: own.headers });
  const events = await own.wait("mail.message", { count: 3 });
  expect(events.map(({ payload }) => payload.subject)).toEqual(["three", "two", "one"]);
  const [two] = await own.list("mail.message", { subject: "two" });
  expect((await own.extract(two)).codes).toEqual(["493201"]);
  expect((await own.endpoint("mail3")).url).toBe(standin.ingress);
  expect((await own.endpoint("smtp")).url).toBe(standin.addresses["mail/smtp"]);
  await expect(own.endpoint("http")).rejects.toThrow("choose one of s3/http, as2/http");
  await expect(own.endpoint("smpt")).rejects.toThrow("running are mail/mail1");
});

test("toHaveReceived passes for what is there, and says what is closest", async () => {
  await expect(own).toHaveReceived({ type: "mail.message", match: { subject: "two" }, count: 1 });
  await expect(own).not.toHaveReceived({ type: "sms.message" });
  await expect(
    expect(own).toHaveReceived({
      type: "mail.message",
      match: { subject: "four" },
      timeoutMs: 0,
    }),
  ).rejects.toThrow('differs subject: expected "four", got "three"');
  await expect(expect(own).not.toHaveReceived({ type: "mail.message" })).rejects.toThrow(
    /expected none|3 events match/,
  );
});

test("toHaveReceived refuses what it cannot mean", async () => {
  await expect(expect({}).toHaveReceived({ type: "mail.message" })).rejects.toThrow(
    "expected a client of standin",
  );
  await expect(expect(own).not.toHaveReceived({ count: 1 })).rejects.toThrow(
    'Cannot use "count" with .not',
  );
  await expect(expect(own).not.toHaveReceived({ tipe: "x" })).rejects.toThrow(
    'did you mean "type"',
  );
});

test("start rejects with what the program says", async () => {
  await expect(start({ args: ["--smpt-port=1"] })).rejects.toThrow("did you mean --smtp-port?");
  await expect(start({ program: "/there/is/none" })).rejects.toThrow("Cannot start /there/is/none");
  const folder = await mkdtemp(join(tmpdir(), "other-"));
  for (const said of ["1", "{}", "ready"]) {
    const program = join(folder, "other");
    await writeFile(program, `#!/bin/sh\necho '${said}'\nexec cat\n`, { mode: 0o700 });
    await expect(start({ program })).rejects.toThrow("instead of where it listens");
  }
  await rm(folder, { recursive: true });
  await expect(start({ portt: 1 })).rejects.toThrow('"portt"');
  await expect(start({ timeoutMs: 1 })).rejects.toThrow("not ready after 1 ms");
});

test("the program ends with a process that is killed, or ends without stopping it", async () => {
  for (const last of ["setInterval(() => {}, 1000);", ""]) {
    const code = `import { start } from "@standin/client/node";
      console.log((await start()).url);
      ${last}`;
    const child = spawn(process.execPath, ["--input-type=module", "-e", code], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const [text] = await once(child.stdout, "data");
    if (last !== "") child.kill("SIGKILL");
    const url = String(text).trim();
    await once(child, "exit");
    await expect.poll(() => fetch(url).then(() => "runs", () => "has ended"), { timeout: 8000 })
      .toBe("has ended");
  }
}, 20_000);
