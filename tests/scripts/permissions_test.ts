/** The tasks that run the program state the least permissions, and it runs with exactly those. */
import { assertEquals, assertMatch } from "@std/assert";
import type { Places } from "../../core/cli/permissions.ts";
import manifest from "../../deno.json" with { type: "json" };
import { STANDARD_PLUGINS } from "../../plugins/standard.ts";
import { expanded, PROGRAM_PERMISSIONS, SERVE_PERMISSIONS } from "../../scripts/permissions.ts";
import { runToEnd } from "../cli/console.ts";
import { FREE_PORTS, startProgram } from "../support/program.ts";

const TASKS = {
  serve: SERVE_PERMISSIONS,
  dev: SERVE_PERMISSIONS,
  standin: PROGRAM_PERMISSIONS,
} as const;

for (const name of ["serve", "dev", "standin"] as const) {
  Deno.test(`task ${name} asks for exactly what the program needs`, () => {
    const words = manifest.tasks[name].command.match(/"[^"]*"|\S+/g) ?? [];
    const flags = words.map((word) => word.replaceAll('"', ""))
      .filter((word) => /^--(allow|deny|no-prompt)|^-[A-Z]/.test(word));
    assertEquals(flags, TASKS[name]);
  });
}

Deno.test("no task connects to look for a Deno update", () => {
  for (const { command } of Object.values(manifest.tasks)) {
    if (command.includes("deno run")) assertMatch(command, /(^| )DENO_NO_UPDATE_CHECK=1 deno run /);
  }
});

Deno.test("Deno's own notices stay out of the program's output", () => {
  for (const name of ["serve", "standin"] as const) {
    assertMatch(manifest.tasks[name].command, / deno run --quiet /);
  }
});

Deno.test("the program may not run programs, load libraries or read the whole environment", () => {
  const open = PROGRAM_PERMISSIONS.filter((flag) => /^--allow-\w+$/.test(flag));
  assertEquals(open, ["--allow-net", "--allow-read", "--allow-write"]);
});

/** Access that a program started with the permissions of `deno task serve` still has to two places. */
async function afterConfine(places: Places, home: string): Promise<unknown> {
  const code = `
    import { confine } from "${new URL("../../core/cli/permissions.ts", import.meta.url)}";
    await confine(${JSON.stringify(places)}, ${JSON.stringify(`${home}/standin`)});
    const may = async (name, path) => (await Deno.permissions.query({ name, path })).state === "granted";
    console.log(JSON.stringify({
      own: await may("read", "${home}/standin/x") && await may("write", "${home}/standin/x"),
      others: await may("read", "/etc/hostname") || await may("write", "/tmp"),
    }));`;
  const file = `${home}/confine.ts`;
  await Deno.writeTextFile(file, code);
  const flags = expanded(
    SERVE_PERMISSIONS,
    (name) => name === "XDG_CONFIG_HOME" ? home : undefined,
  );
  const { stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "--quiet", "--no-check", "--config=deno.json", ...flags, file],
  }).output();
  const text = new TextDecoder().decode(stdout);
  return text === "" ? new TextDecoder().decode(stderr) : JSON.parse(text);
}

Deno.test("without a folder in the settings, the program gives up access to the disk except for its keys", async () => {
  const home = await Deno.realPath(await Deno.makeTempDir());
  try {
    const own = `${home}/standin`;
    assertEquals(await afterConfine({ read: [], write: [own] }, home), {
      own: true,
      others: false,
    });
    const kept = { read: [], write: [own, "/data"] };
    assertEquals(await afterConfine(kept, home), { own: true, others: true });
  } finally {
    await Deno.remove(home, { recursive: true });
  }
});

Deno.test("serve --permissions prints flags that suffice for the same settings", async () => {
  const folder = await Deno.realPath(await Deno.makeTempDir());
  try {
    const args = ["serve", ...FREE_PORTS, "--persist", `${folder}/data`];
    const env = { XDG_CONFIG_HOME: folder };
    const printed = await runToEnd([...args, "--permissions"], { plugins: STANDARD_PLUGINS, env });
    assertEquals(printed.code, 0);
    const permissions = printed.stdout.trim().split(" ").map((word) => word.replaceAll("'", ""));
    assertEquals(permissions.filter((flag) => /^--allow-(read|write)/.test(flag)), [
      `--allow-read=${folder}/data,${folder}/standin`,
      `--allow-write=${folder}/data,${folder}/standin`,
    ]);
    await using program = await startProgram({ args, env, permissions });
    const { code, stderr } = await program.stop();
    assertEquals({ code, stderr }, { code: 0, stderr: "" });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
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

Deno.test("with these permissions the program creates and keeps its CA, and accepts TLS", async () => {
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
