import { assertEquals, assertMatch, assertRejects, assertStringIncludes } from "@std/assert";
import { PROGRAM_PERMISSIONS } from "../../scripts/permissions.ts";
import { VERSION } from "../../core/version.ts";
import { FREE_PORTS, type Program, startProgram } from "../support/program.ts";

const ROOT = new URL("../../", import.meta.url);

/** Runs the program to its end in a separate process. */
async function run(
  args: readonly string[],
  options: { env?: Record<string, string> } = {},
): Promise<{ readonly code: number; readonly stdout: string; readonly stderr: string }> {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "--quiet", "--no-check", ...PROGRAM_PERMISSIONS, "main.ts", ...args],
    cwd: ROOT,
    env: { NO_COLOR: "1", ...options.env },
    stdin: "null",
  }).output();
  const decoder = new TextDecoder();
  return { code, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
}

function smtpPort(program: Program): number {
  return Number(/^ +mail\/smtp +smtp:\/\/localhost:(\d+)$/m.exec(program.greeting)?.[1]);
}

/** Opens a connection to every kind of listener, and leaves it halfway through a request. */
async function hold(program: Program, stack: DisposableStack): Promise<void> {
  const encoder = new TextEncoder();
  const port = (name: string): number => Number(new URL(program.urls[name] ?? "").port);
  const talks: readonly (readonly [number, string])[] = [
    [
      smtpPort(program),
      "EHLO me\r\nMAIL FROM:<a@example.org>\r\nRCPT TO:<b@example.org>\r\nDATA\r\nSubj",
    ],
    [port("ingress"), "POST /v3/mail/send HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{"],
    [port("ingress"), ""],
    [port("ui"), "GET /api/v1/events/stream HTTP/1.1\r\nHost: localhost\r\n\r\n"],
  ];
  for (const [number, said] of talks) {
    const connection = stack.use(await Deno.connect({ hostname: "127.0.0.1", port: number }));
    await connection.write(encoder.encode(said));
    // Nothing is read before the listener has accepted the connection.
    if (said !== "" && !said.startsWith("POST")) await connection.read(new Uint8Array(1024));
  }
}

Deno.test("a process prints its version and exits with 0, without further permissions", async () => {
  const said = await run(["version"]);
  assertEquals(said, { code: 0, stdout: `standin ${VERSION}\n`, stderr: "" });
});

Deno.test("an invalid command line exits with 1 and writes to standard error only", async () => {
  const said = await run(["mail", "--smtp-port=many"]);
  assertEquals(said, {
    code: 1,
    stdout: "",
    stderr: 'Error: Cannot read --smtp-port "many": expected an integer from 0 to 65535\n',
  });
});

Deno.test("a busy port exits with 1 before anything is announced", async () => {
  using taken = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = taken.addr;
  const said = await run([
    "serve",
    ...FREE_PORTS.filter((flag) => !flag.startsWith("--smtp")),
    `--smtp-port=${port}`,
  ]);
  assertEquals(said, {
    code: 1,
    stdout: "",
    stderr: `Error: Cannot listen on 127.0.0.1:${port} for smtp: the address is in use; ` +
      "choose another port with --smtp-port\n",
  });
});

for (const signal of ["SIGTERM", "SIGINT"] as const) {
  Deno.test(`${signal} ends a process with 0 within 5 s, whatever its clients are doing`, async () => {
    await using program = await startProgram();
    using stack = new DisposableStack();
    await hold(program, stack);
    const startMs = performance.now();
    const { code, stderr } = await program.stop(signal);
    const tookMs = performance.now() - startMs;
    assertEquals(code, 0, stderr);
    assertEquals(tookMs < 5500, true, `took ${tookMs} ms`);
  });
}

Deno.test("an idle connection does not delay the exit", async () => {
  await using program = await startProgram();
  using _idle = await Deno.connect({
    hostname: "127.0.0.1",
    port: Number(new URL(program.urls.ingress ?? "").port),
  });
  await (await fetch(`${program.urls.api}/api/v1/health`)).body?.cancel();
  const startMs = performance.now();
  assertEquals((await program.stop()).code, 0);
  assertEquals(performance.now() - startMs < 2000, true);
});

Deno.test("a second signal ends a process at once", async () => {
  await using program = await startProgram();
  using stack = new DisposableStack();
  await hold(program, stack);
  const startMs = performance.now();
  const first = program.stop("SIGINT");
  // The first one has arrived once new connections are refused.
  while (await accepts(smtpPort(program)));
  Deno.kill(program.pid, "SIGINT");
  assertEquals((await first).code, 130);
  assertEquals(performance.now() - startMs < 3000, true);
});

async function accepts(port: number): Promise<boolean> {
  try {
    (await Deno.connect({ hostname: "127.0.0.1", port })).close();
    return true;
  } catch (error) {
    // A reset means that the connection was still queued when the listener closed.
    if (error instanceof Deno.errors.ConnectionRefused) return false;
    if (error instanceof Deno.errors.ConnectionReset) return false;
    throw error;
  }
}

Deno.test("no log line is lost when the process exits right after the last capture", async () => {
  await using program = await startProgram({ env: { SERVICE_LOG_LEVEL: "info" } });
  for (let batch = 0; batch < 10; batch++) {
    await Promise.all(Array.from({ length: 20 }, async (_, i) => {
      const answer = await fetch(`${program.urls.ingress}/services/T0/B0/x`, {
        method: "POST",
        body: JSON.stringify({ text: `message ${batch * 20 + i}.` }),
      });
      assertEquals(answer.status, 200, await answer.text());
    }));
  }
  const { code, stderr } = await program.stop();
  const missing = Array.from({ length: 200 }, (_, i) => `message ${i}.`)
    .filter((text) => !stderr.includes(text));
  assertEquals([code, missing], [0, []]);
});

Deno.test("a mail sent to the process can be read back, and is logged", async () => {
  await using program = await startProgram({ env: { SERVICE_LOG_LEVEL: "info" } });
  const sent = await fetch(`${program.urls.ingress}/v3/mail/send`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: "Bearer key" },
    body: JSON.stringify({
      personalizations: [{ to: [{ email: "b@example.org" }] }],
      from: { email: "a@example.org" },
      subject: "Hello",
      content: [{ type: "text/plain", value: "Hello" }],
    }),
  });
  assertEquals([sent.status, await sent.text()], [202, ""]);
  const events = await (await fetch(`${program.urls.api}/api/v1/events`)).json();
  assertEquals(events.length, 1);
  assertStringIncludes(events[0].summary, "Hello");
  const { code, stderr } = await program.stop();
  assertEquals(code, 0);
  assertMatch(
    stderr,
    /^\S+Z INFO +Captured id=\w+ provider=mail\/mail2 vendor=SendGrid summary=".*Hello" url=.*\n$/,
  );
});

Deno.test("a process exits with 0 when its parent is killed", async () => {
  const flags = ["serve", "--free-ports", "--stop-on-eof", "--log-format=json"];
  const args = ["run", "--quiet", "--no-check", ...PROGRAM_PERMISSIONS, "main.ts", ...flags];
  // The child inherits the parent's standard output, which stays open until the child ends.
  const parent = new Deno.Command(Deno.execPath(), {
    args: ["eval", PARENT, Deno.execPath(), ...args],
    cwd: ROOT,
    stdin: "null",
    stdout: "piped",
  }).spawn();
  let said = "";
  let killed = false;
  for await (const text of parent.stdout.pipeThrough(new TextDecoderStream())) {
    said += text;
    if (killed || !said.includes("is running")) continue;
    killed = true;
    parent.kill("SIGKILL");
  }
  await parent.status;
  const { ui } = JSON.parse(said);
  await assertRejects(() => fetch(ui), TypeError);
});

/** Starts a program with a pipe as its input, and never exits by itself. */
const PARENT = `
const [program, ...args] = Deno.args;
new Deno.Command(program, { args, stdin: "piped" }).spawn();
setInterval(() => {}, 1000);
`;

Deno.test("a file is read with the permissions of the program", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const file = `${folder}/standin.toml`;
    await Deno.writeTextFile(file, 'host = "127.0.0.1"\n');
    await using program = await startProgram({ args: ["serve", ...FREE_PORTS, "--config", file] });
    assertMatch(program.urls.ui ?? "", /^http:\/\/127\.0\.0\.1:\d+$/);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
