/** The tasks that run the program state the least it needs, and it runs with exactly that. */
import { assertEquals } from "@std/assert";
import manifest from "../../deno.json" with { type: "json" };
import { PROGRAM_PERMISSIONS } from "../../scripts/permissions.ts";
import { startProgram } from "../support/program.ts";

for (const name of ["serve", "dev", "standin"] as const) {
  Deno.test(`task ${name} asks for what the program needs and no more`, () => {
    const flags = manifest.tasks[name].command.split(" ")
      .filter((word) => /^--(allow|deny|no-prompt)|^-[A-Z]/.test(word));
    assertEquals(flags, PROGRAM_PERMISSIONS);
  });
}

Deno.test("the program may not run programs, load libraries or read the whole environment", () => {
  const open = PROGRAM_PERMISSIONS.filter((flag) => /^--allow-\w+$/.test(flag));
  assertEquals(open, ["--allow-net", "--allow-read", "--allow-write"]);
});

Deno.test("with these permissions the program starts, captures, answers and stops", async () => {
  await using program = await startProgram();
  const { ui, ingress } = program.urls;
  const sent = await fetch(`${ingress}/v3/mail/send`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: "Bearer SG.any" },
    body: JSON.stringify({
      personalizations: [{ to: [{ email: "ada@example.org" }] }],
      from: { email: "shop@example.com" },
      subject: "Least",
      content: [{ type: "text/plain", value: "Hello" }],
    }),
  });
  await sent.body?.cancel();
  assertEquals(sent.status, 202);
  const events = await (await fetch(`${ui}/api/v1/events`)).json() as unknown[];
  assertEquals(events.length, 1);
  const page = await fetch(`${ui}/ui/`);
  await page.body?.cancel();
  assertEquals(page.status, 200);
  const { code, stderr } = await program.stop();
  assertEquals({ code, denied: stderr.includes("NotCapable") }, { code: 0, denied: false });
});

Deno.test("with these permissions the program makes its CA, keeps it and takes TLS", async () => {
  const home = await Deno.makeTempDir();
  try {
    await using program = await startProgram({ env: { XDG_CONFIG_HOME: home, HOME: home } });
    const { ui, ingress } = program.urls;
    const ca = await (await fetch(`${ui}/api/v1/tls/ca.pem`)).text();
    using client = Deno.createHttpClient({ caCerts: [ca] });
    const response = await fetch(ingress!.replace("http:", "https:"), { client });
    await response.body?.cancel();
    assertEquals(response.status, 404);
    assertEquals((await program.stop()).stderr.includes("Cannot keep the CA"), false);
    const [kept] = await Array.fromAsync(Deno.readDir(home));
    assertEquals(kept?.isDirectory, true);
  } finally {
    await Deno.remove(home, { recursive: true });
  }
});
