import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { mail } from "../../plugins/mail/mod.ts";
import { type Run, runToEnd, startCli } from "./console.ts";
import { freePort } from "../support/free_port.ts";

/** Every listener of the plain plugins on a free port. */
const FREE = [
  "--ui-port=0",
  "--ingress-port=0",
  "--smtp-port=0",
  "--ftp-port=0",
  "--sftp-port=0",
  "--s3-port=0",
  "--trap-port=0",
];
const FREE_MAIL = ["--ui-port=0", "--in-port=0", "--smtp-port=0"];
/** Last line of the greeting. */
const LAST = "standin providers";

async function stopped(run: Run): Promise<string> {
  run.askToStop();
  const said = await run.ended;
  assertEquals(said.code, 0, said.stderr);
  return said.stderr;
}

function portOf(lines: readonly string[], name: string): number {
  const line = lines.find((one) => one.trim().startsWith(`${name} `));
  return Number(/:(\d+)(?:\/|$)/.exec(line ?? "")?.[1]);
}

Deno.test("--free-ports gives a free port to every listener without a configured one", async () => {
  const port = freePort();
  const run = startCli(["serve", "--free-ports", `--smtp-port=${port}`], {
    env: { SERVICE_FTP_PORT: "0" },
  });
  const lines = await run.printed(LAST);
  const ports = lines.flatMap((line) => /:(\d+)(?:\/|$)/.exec(line)?.[1] ?? []).map(Number);
  assertEquals(portOf(lines, "mail/smtp"), port);
  assertEquals(ports.filter((one) => [8811, 8822, 2121, 2222, 9000, 1162].includes(one)), []);
  await stopped(run);
});

Deno.test("with --stop-on-eof, a service stops when its input ends", async () => {
  const run = startCli(["mail", "--free-ports", "--stop-on-eof"], { plugins: [mail] });
  await run.printed(LAST);
  run.endInput();
  assertEquals((await run.ended).code, 0);
  const other = startCli(["mail", "--free-ports"], { plugins: [mail] });
  await other.printed(LAST);
  other.endInput();
  await (await fetch(`http://localhost:${portOf(await other.printed(LAST), "ui")}/`)).body
    ?.cancel();
  await stopped(other);
});

Deno.test("serve says where everything listens once it does", async () => {
  const run = startCli(["serve", ...FREE]);
  const lines = await run.printed(LAST);
  assertEquals(lines[0], "standin is running");
  const shown = lines.slice(1).map((line) => line.replace(/:\d+/, ":PORT"));
  assertEquals(shown, [
    "  ui          http://localhost:PORT/ui/",
    "  api         http://localhost:PORT/api/v1",
    "  ingress     http://localhost:PORT",
    "  mail/smtp   smtp://localhost:PORT",
    "  files/ftp   ftp://localhost:PORT",
    "  files/sftp  sftp://localhost:PORT",
    "  s3/http     http://localhost:PORT",
    "  snmp/trap   snmp://127.0.0.1:PORT",
    "  plugin mail: Plain mail1 over HTTP (mail1), Plain smtp over TCP (smtp)",
    "  plugin files: Plain ftp over TCP (ftp), Plain sftp over TCP (sftp)",
    "  plugin s3: Plain object store (http)",
    "  plugin snmp: Plain datagrams (trap)",
    "  plugin as2: Plain http over HTTP (http)",
    "Code to paste for every provider: standin providers",
  ]);
  const ui = portOf(lines, "ui");
  const response = await fetch(`http://127.0.0.1:${ui}/api/v1/plugins`);
  const plugins = await response.json();
  assertEquals(plugins.length, 5);
  const smtp = plugins[0].providers[1];
  assertEquals(smtp.addr, `127.0.0.1:${portOf(lines, "mail/smtp")}`);
  assertEquals(await stopped(run), "");
});

Deno.test("a plugin's own command runs that plugin only", async () => {
  const ports = ["--ui-port=0", "--smtp-port=0"];
  const run = startCli(["mail", ...ports, "--enabled-providers=smtp"]);
  const lines = await run.printed(LAST);
  assertEquals(lines.filter((line) => line.includes("plugin ")), [
    "  plugin mail: Plain smtp over TCP (smtp)",
  ]);
  const health = await fetch(`http://127.0.0.1:${portOf(lines, "api")}/api/v1/health`);
  assertEquals((await health.json()).plugins, ["mail"]);
  await stopped(run);
});

Deno.test("the ingress opens no port when nothing shares it", async () => {
  using taken = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const run = startCli(["mail", "--ui-port=0", "--smtp-port=0", "--enabled-providers=smtp"], {
    env: { SERVICE_INGRESS_PORT: String(taken.addr.port) },
  });
  const lines = await run.printed(LAST);
  assertEquals(lines.filter((line) => line.includes("ingress")), []);
  const ready = await fetch(`http://127.0.0.1:${portOf(lines, "api")}/api/v1/ready`);
  const { listeners } = await ready.json() as { listeners: { name: string }[] };
  assertEquals(listeners.map(({ name }) => name), ["ui", "api", "mail/smtp"]);
  await stopped(run);
});

Deno.test("settings from file, variables and flags reach the running service", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const file = `${folder}/standin.toml`;
    const disabled = ["files", "s3", "snmp", "as2"].map((id) =>
      `[plugins.${id}]\nenabled = false\n`
    );
    await Deno.writeTextFile(
      file,
      `host = "127.0.0.1"\n[ui]\nport = 0\n[ingress]\nport = 1\n${disabled.join("")}`,
    );
    const env = { SERVICE_SMTP_PORT: "0", SERVICE_INGRESS_PORT: "1" };
    const run = startCli(["serve", "-c", file, "--ingress-port", "0"], { env });
    const lines = await run.printed(LAST);
    assertMatch(lines.join("\n"), /ui +http:\/\/127\.0\.0\.1:\d+\/ui\//);
    assertEquals(lines.filter((line) => line.includes("plugin ")), [
      "  plugin mail: Plain mail1 over HTTP (mail1), Plain smtp over TCP (smtp)",
    ]);
    await stopped(run);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("a busy port names the listener and its flag, and leaves nothing bound", async () => {
  using taken = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const [busy, ui] = [taken.addr.port, freePort()];
  const table = [
    [["mail", `--ui-port=${ui}`, "--in-port=0", `--smtp-port=${busy}`], "smtp", "--smtp-port"],
    [
      ["mail", `--ui-port=${ui}`, `--in-port=${busy}`, "--smtp-port=0"],
      "ingress",
      "--ingress-port (--in-port when one plugin runs)",
    ],
    [["mail", `--ui-port=${busy}`, "--in-port=0", "--smtp-port=0"], "ui", "--ui-port"],
  ] as const;
  for (const [args, name, flag] of table) {
    const said = await runToEnd(args);
    assertEquals(
      said.stderr,
      `Error: Cannot listen on 127.0.0.1:${busy} for ${name}: the address is in use; ` +
        `choose another port with ${flag}\n`,
    );
    assertEquals([said.code, said.stdout], [1, ""]);
    Deno.listen({ hostname: "127.0.0.1", port: ui }).close();
  }
});

Deno.test("a setting without effect is logged", async () => {
  const run = startCli(["mail", ...FREE_MAIL, "--persist=data"]);
  await run.printed(LAST);
  assertMatch(await stopped(run), /^\S+Z WARN +Storage on disk has no effect on mail: /);
});

Deno.test("--log-level decides what is logged", async () => {
  const run = startCli(["mail", ...FREE_MAIL, "--persist=data", "--log-level=error"]);
  await run.printed(LAST);
  assertEquals(await stopped(run), "");
});

Deno.test("an unhandled rejection is logged, and the service continues", async () => {
  const run = startCli(["mail", ...FREE_MAIL]);
  const lines = await run.printed(LAST);
  run.failUncaught(new RangeError("Nobody waits for me"));
  const health = await fetch(`http://127.0.0.1:${portOf(lines, "api")}/api/v1/health`);
  assertEquals((await health.json()).status, "ok");
  const stderr = await stopped(run);
  assertStringIncludes(stderr, "ERROR Unhandled error");
  assertStringIncludes(stderr, "Nobody waits for me");
});

Deno.test("a flag or variable switches the log to JSON with the instance's name", async () => {
  const inJson = ["--log-format=json", "--instance=ci 7"];
  const run = startCli(["mail", ...FREE_MAIL, "--persist=data", ...inJson]);
  const [greeting = "", ...more] = await run.printed("is running");
  const { time, api, ...about } = JSON.parse(greeting);
  assertEquals([more, Number.isNaN(Date.parse(time))], [[], false]);
  assertEquals(Object.keys(about), [
    ...["level", "message", "ui", "ingress", "mail/smtp", "instance"],
  ]);
  assertEquals([about.level, about.message], ["info", "standin is running"]);
  run.failUncaught(new RangeError("Nobody\nwaits"));
  const ready = await fetch(`${api}/ready`);
  assertEquals((await ready.json()).instance, "ci 7");
  const logged = (await stopped(run)).trimEnd().split("\n").map((line) => JSON.parse(line));
  assertEquals(
    logged.map(({ level, instance }) => [level, instance]),
    [["warn", "ci 7"], ["error", "ci 7"]],
  );
  assertStringIncludes(logged[1].error, "RangeError: Nobody\nwaits");
  const named = startCli(["mail", ...FREE_MAIL, "--persist=data"], {
    env: { SERVICE_LOG_FORMAT: "json", SERVICE_INSTANCE: "box" },
  });
  await named.printed("is running");
  assertEquals(JSON.parse(await stopped(named)).instance, "box");
});

Deno.test("an error at the start is a JSON line, too", async () => {
  using taken = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = taken.addr as Deno.NetAddr;
  const json = ["--log-format", "json"];
  for (
    const [args, message] of [
      [["mail", "--ui-port", String(port), "--in-port=0", "--smtp-port=0", ...json], "in use"],
      [["mail", "--smtp-prot=1", ...json], "unknown flag"],
      [["serve", "--config", "nowhere.toml", ...json], "the file does not exist"],
      [["mail", "--smtp-port=x", ...json], "Cannot read --smtp-port"],
    ] as const
  ) {
    const { code, stdout, stderr } = await runToEnd(args);
    assertEquals([code, stdout], [1, ""]);
    const { level, message: said } = JSON.parse(stderr);
    assertEquals(level, "error");
    assertStringIncludes(said, message);
  }
});

Deno.test("each capture and refusal is one log line, without secrets or control characters", async () => {
  for (const format of ["text", "json"] as const) {
    const pinned = ["--smtp-username=ada", "--smtp-password=other"];
    const args = ["mail", ...FREE_MAIL, ...pinned, "--log-format", format];
    const run = startCli(args, { plugins: [mail] });
    const [first = ""] = await run.printed("is running");
    const lines = format === "json" ? [] : await run.printed(LAST);
    const at = format === "json" ? JSON.parse(first) : {
      ingress: `http://127.0.0.1:${portOf(lines, "ingress")}`,
      port: portOf(lines, "mail/smtp"),
    };
    const post = async (path: string, subject: string): Promise<void> => {
      const answer = await fetch(`${at.ingress}${path}`, {
        method: "POST",
        headers: { authorization: "Bearer hunter2", "content-type": "application/json" },
        body: JSON.stringify({ from: "a@example.com", to: "b@example.org", subject, text: "x" }),
      });
      await answer.body?.cancel();
    };
    await post("/emails", "Hi\u001b[31m\r\nthere");
    await post("/emails?token=hunter2", "");
    await post("/nowhere?token=hunter2", "x");
    const smtp = at.port ?? Number(new URL(at["mail/smtp"]).port);
    await logIn(smtp, "hunter2");
    const stderr = await stopped(run);
    const logged = stderr.trimEnd().split("\n");
    assertEquals(logged.length, 4, stderr);
    assertEquals(stderr.includes("hunter2"), false, stderr);
    assertEquals(/[^\P{Cc}\n]/u.test(stderr), false, stderr);
    if (format === "json") {
      const [captured, refused, unknown, denied] = logged.map((line) => JSON.parse(line));
      assertEquals(Object.keys(captured), [
        ...["time", "level", "message", "id", "provider", "vendor", "summary", "url"],
      ]);
      assertEquals([captured.message, captured.provider], ["Captured", "mail/mail3"]);
      assertEquals(captured.vendor, "Resend");
      assertStringIncludes(captured.url, `/ui/events/${captured.id}`);
      assertEquals([refused.message, refused.provider, refused.status], ["Refused", "mail3", 422]);
      assertStringIncludes(unknown.summary, "Cannot find POST /nowhere");
      assertStringIncludes(unknown.url, `/ui/rejected/?id=${unknown.id}`);
      assertEquals([denied.provider, denied.status], ["smtp", 535]);
    } else {
      assertMatch(
        logged[0]!,
        /^\S+Z INFO +Captured id=\w+ provider=mail\/mail3 vendor=Resend summary=".*" url=http/,
      );
      assertMatch(
        logged[1]!,
        /^\S+Z INFO +Refused id=\w+ provider=mail3 vendor=Resend peer=\S+ status=422 /,
      );
    }
  }
});

/** Presents wrong credentials over SMTP. */
async function logIn(port: number, password: string): Promise<void> {
  const conn = await Deno.connect({ hostname: "127.0.0.1", port });
  const plain = btoa(`\0ada\0${password}`);
  const text = `EHLO x\r\nAUTH PLAIN ${plain}\r\nQUIT\r\n`;
  await conn.write(new TextEncoder().encode(text));
  await new Response(conn.readable).text();
}

Deno.test("UI files can be served from a folder during development", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const file = `${folder}/index.html`;
    await Deno.writeTextFile(file, "<!doctype html>one");
    const run = startCli(["mail", ...FREE_MAIL], { env: { SERVICE_UI_DIR: folder } });
    const lines = await run.printed(LAST);
    const page = async () =>
      await (await fetch(`http://127.0.0.1:${portOf(lines, "ui")}/ui/`)).text();
    assertEquals(await page(), "<!doctype html>one");
    await Deno.writeTextFile(file, "<!doctype html>two");
    assertEquals(await page(), "<!doctype html>two");
    await Deno.remove(file);
    assertEquals(await page(), "<!doctype html>");
    await stopped(run);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("an unknown variable is reported at the start, with the closest known one", async () => {
  const env = { SERVICE_SMPT_PORT: "2525", SERVICE_LOG_LEVEL: "warn" };
  const warning =
    "SERVICE_SMPT_PORT has no effect: nothing reads it; did you mean SERVICE_SMTP_PORT?";
  for (const names of [undefined, Object.keys(env)]) {
    const run = startCli(["serve", ...FREE], {
      env,
      ...(names === undefined ? {} : { envNames: names }),
    });
    await run.printed(LAST);
    await run.warned("SERVICE_SMPT_PORT");
    assertStringIncludes(await stopped(run), warning);
  }
});
