import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { startProgram } from "../support/program.ts";
import { startService } from "../support/service.ts";
import { toy } from "../support/toy.ts";
import { runToEnd } from "./console.ts";
import { freePort } from "../support/free_port.ts";

Deno.test("ready exits with 0 when an instance accepts connections", async () => {
  await using service = await startService({ plugins: [toy] });
  const { port } = service.api;
  for (const args of [[`--ui-port=${port}`], [`--api-port=${port}`], ["--url", service.api.url]]) {
    assertEquals(await runToEnd(["ready", ...args]), {
      code: 0,
      stdout: `standin is ready at http://127.0.0.1:${port}\n`,
      stderr: "",
    });
  }
});

Deno.test("ready exits with 1 at once when there is no instance", async () => {
  const said = await runToEnd(["ready", `--ui-port=${freePort()}`]);
  assertEquals([said.code, said.stdout], [1, ""]);
  assertMatch(said.stderr, /^Error: Cannot reach standin at http:\/\/127\.0\.0\.1:\d+: /);
});

Deno.test("ready distinguishes a ready instance from a starting one and from other servers", async () => {
  const answers = [
    new Response('{"status":"starting","listeners":[]}', { status: 503 }),
    new Response("<h1>It works</h1>", { status: 404 }),
    new Response("busy", { status: 503 }),
  ];
  await using other = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen() {} },
    () => answers.shift() ?? new Response(),
  );
  const url = `http://127.0.0.1:${other.addr.port}`;
  const errors = [
    `Cannot use standin at ${url} yet: it is starting`,
    `Cannot tell whether ${url} is ready: it answered 404, but is not standin`,
    `Cannot tell whether ${url} is ready: it answered 503, but is not standin`,
  ];
  for (const error of errors) {
    assertEquals(await runToEnd(["ready", "--url", url]), {
      code: 1,
      stdout: "",
      stderr: `Error: ${error}\n`,
    });
  }
});

Deno.test("ready --wait returns as soon as the starting program is ready", async () => {
  const port = freePort();
  // The same flags for both.
  const flags = [`--ui-port=${port}`, "--smtp-port=0"];
  const waiting = runToEnd(["ready", "--wait", ...flags]);
  await using _program = await startProgram({ args: ["mail", "--in-port=0", ...flags] });
  const { code, stdout, stderr } = await waiting;
  assertEquals([code, stderr], [0, ""]);
  assertStringIncludes(stdout, `standin is ready at http://127.0.0.1:${port}\n`);
});

Deno.test("ready --wait gives up at its timeout, and says why", async () => {
  const said = await runToEnd(["ready", "--wait", "--timeout=0.3", `--ui-port=${freePort()}`]);
  assertEquals(said.code, 1);
  assertMatch(said.stderr, /^Error: Waited 0\.3 s for standin: Cannot reach standin at /);
  for (const text of ["soon", "0", "-1", ""]) {
    const odd = await runToEnd(["ready", "--wait", `--timeout=${text}`]);
    assertEquals(
      odd.stderr,
      `Error: Cannot read --timeout "${text}": expected seconds, up to 86400\n`,
    );
  }
});
