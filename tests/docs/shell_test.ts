/** Runs the commands of every page verbatim, in an empty folder, with a running program. */
import { assert, assertEquals } from "@std/assert";
import { dirname } from "node:path";
import { requireClient, requirePython, runOk } from "../support/clients.ts";
import { type Block, blocksOf, nameOf, NOT_RUN_TASKS } from "../support/pages.ts";
import { ANY_PORT, openTerminal, type Terminal } from "../support/pages_shell.ts";
import { freePort } from "../support/free_port.ts";

const ROOT = new URL("../../", import.meta.url).pathname;

/** Programs in blocks that not every system has. */
const CLIENTS = [
  ...["curl", "swaks", "lftp", "sftp", "scp", "tftp", "nfs-cp", "openssl", "bash", "npx", "npm"],
  ...["snmptrap", "snmpinform"],
];

/** Programs that come with the packages for Python. */
const PYTHON_CLIENTS = ["aws", "mllp_send"];

const MAIL = {
  from: "Shop <shop@example.com>",
  to: "ada@example.org",
  text: "Your code is 493201. It is valid for ten minutes.",
};

/** Preparations that a page describes or assumes. */
interface Before {
  readonly page: string;
  readonly heading: string;
  /** Text of the block, if the heading has several. */
  readonly has?: string;
  /** Flags of the running program. */
  readonly flags?: readonly string[];
  readonly run: (place: Place) => Promise<unknown>;
}

/** Context of a block. */
interface Place {
  readonly folder: string;
  readonly terminal: Terminal;
}

const sendMail = (...subjects: readonly string[]) => async ({ terminal }: Place): Promise<void> => {
  for (const subject of subjects) {
    const answer = await fetch(`${terminal.program.urls.ingress}/emails`, {
      method: "POST",
      headers: { authorization: "Bearer re_any", "content-type": "application/json" },
      body: JSON.stringify({
        ...MAIL,
        subject,
        html: `<html lang="en"><p>${MAIL.text}</p></html>`,
      }),
    });
    assertEquals(answer.status, 200, await answer.text());
  }
};

const write = (file: string, text: string) => ({ folder }: Place): Promise<void> =>
  Deno.writeTextFile(`${folder}/${file}`, text);

const sendSms = async ({ terminal }: Place): Promise<void> => {
  const account = "AC00000000000000000000000000000000";
  const url = `${terminal.program.urls.ingress}/2010-04-01/Accounts/${account}/Messages.json`;
  const answer = await fetch(url, {
    method: "POST",
    headers: { authorization: `Basic ${btoa(`${account}:any`)}` },
    body: new URLSearchParams({ To: "+15550100", From: "+15017122661", Body: MAIL.text }),
  });
  assertEquals(answer.status, 201, await answer.text());
};

const BEFORE: readonly Before[] = [
  {
    page: "README.md",
    heading: "Assert on it in a test",
    run: sendMail("Welcome"),
  },
  {
    page: "docs/library.md",
    heading: "In any other language",
    run: async (place) => {
      await sendMail("Welcome", "Invoice")(place);
      await sendSms(place);
    },
  },
  { page: "docs/checks.md", heading: "In tests", run: sendMail("Invoice") },
  { page: "docs/checks.md", heading: "Support by email clients", run: sendMail("Invoice") },
  { page: "docs/stories.md", heading: "Over the API", run: sendMail("Welcome") },
  {
    page: "docs/tls.md",
    heading: "FTP over TLS",
    flags: ["--ftp-tls"],
    run: write("report.csv", "id,total\n42,9.90\n"),
  },
  {
    page: "docs/install.md",
    heading: "In a CI workflow",
    run: write("package.json", '{"private":true,"scripts":{"test":"exit 0"}}'),
  },
  {
    page: "docs/testing.md",
    heading: "A report of the run",
    has: "captured.zip",
    run: async ({ folder, terminal }) => {
      await sh("standin export captured.zip", { folder, terminal });
    },
  },
  { page: "docs/testing.md", heading: "A report of the run", has: "curl", run: sendSms },
];

Deno.test("every command of every page succeeds", async (t) => {
  const python = await requirePython(t);
  const path = python === undefined ? [] : [dirname(python)];
  await using shared = await openTerminal({ path });
  for (const block of await blocksOf("shell_test.ts")) {
    await t.step(nameOf(block), async (t) => {
      const clients = CLIENTS.filter((name) => uses(block, name));
      if (!clients.every((name) => requireClient(t, name))) return;
      if (python === undefined && PYTHON_CLIENTS.some((name) => uses(block, name))) return;
      const before = BEFORE.filter((one) =>
        one.page === block.page && one.heading === block.heading &&
        block.code.includes(one.has ?? "")
      );
      const flags = before.flatMap(({ flags }) => flags ?? []);
      if (flags.length === 0) return await runBlock(block, before, shared);
      await using own = await openTerminal({ path, flags });
      await runBlock(block, before, own);
    });
  }
});

/** Whether a command of the block begins with the name. */
function uses({ code }: Block, name: string): boolean {
  return new RegExp(`(?:^|[|;&'(]\\s*)${name} `, "m").test(code);
}

async function runBlock(
  block: Block,
  before: readonly Before[],
  terminal: Terminal,
): Promise<void> {
  await ask(terminal, "reset", { method: "POST" });
  const place = { folder: await terminal.folder(), terminal };
  for (const { run } of before) await run(place);
  const serve = /^.* task serve\b/m.exec(block.code)?.[0];
  if (serve !== undefined) {
    const tasks = [...block.code.matchAll(/ task (\w+)/g)].map(([, task = ""]) => task);
    assertEquals(tasks.filter((task) => !["serve", ...NOT_RUN_TASKS].includes(task)), []);
    return await runUntilReady(serve, terminal);
  }
  await sh(await fillIn(block.code, terminal), place);
  // A snippet has sent something, which may still be in flight over UDP.
  if (block.page.startsWith("docs/plugins/")) await ask(terminal, "events/wait?timeout=5s");
}

/** A route of the running program, as JSON. */
async function ask(terminal: Terminal, route: string, request?: RequestInit): Promise<unknown> {
  const answer = await fetch(`${terminal.program.urls.ui}/api/v1/${route}`, request);
  const text = await answer.text();
  assert(answer.ok, `${route}: ${text}`);
  return text === "" ? undefined : JSON.parse(text);
}

/** Replaces `ID` by the id of the newest event. */
async function fillIn(code: string, terminal: Terminal): Promise<string> {
  const isId = /(?<=\/)ID\b/g;
  if (!isId.test(code)) return code;
  const [newest] = await ask(terminal, "events?limit=1") as { id: string }[];
  assert(newest !== undefined, "Nothing was sent that ID could stand for");
  return code.replaceAll(isId, newest.id);
}

/**
 * Runs commands in a shell that stops at the first failure, and ends their background processes.
 */
async function sh(code: string, { folder, terminal }: Place): Promise<string> {
  const inCheckout = /\bdeno(@\S+)? task /.test(code);
  const background = / &$/m.test(code);
  const text = terminal.here(code);
  const script = background ? `trap 'kill $!' EXIT\n${text}` : text;
  const { stdout } = await runOk("sh", ["-e", "-c", script], {
    cwd: inCheckout ? ROOT : folder,
    env: {
      ...terminal.env,
      ...(background ? ownPorts() : {}),
      GITHUB_RUN_ID: "1",
      GITHUB_STEP_SUMMARY: `${folder}/summary.md`,
    },
    timeoutMs: 60_000,
  });
  return stdout;
}

/**
 * Ports of a program started by a block: any free port, except for the one that the other commands
 * use.
 */
function ownPorts(): Record<string, string> {
  return { ...ANY_PORT, SERVICE_UI_PORT: String(freePort()) };
}

/** Runs a long-running command, and stops it once it reports that everything runs. */
async function runUntilReady(code: string, { env }: Terminal): Promise<void> {
  const child = new Deno.Command("sh", {
    args: ["-e", "-c", code],
    cwd: ROOT,
    env: { ...env, ...ANY_PORT },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
    // A separate process group, so that the signal reaches the program below the shell, npx and the
    // task.
    detached: true,
  }).spawn();
  const stderr = new Response(child.stderr).text();
  const output = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  let said = "";
  while (!/^Code to paste/m.test(said)) {
    const { value, done } = await output.read();
    if (done) throw new Error(`Ran ${code}: it ended\n${said}${await stderr}`);
    said += value;
  }
  await runOk("kill", ["-TERM", "--", `-${child.pid}`]);
  while (!(await output.read()).done);
  await Promise.all([child.status, stderr]);
}
