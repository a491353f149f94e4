import { assertEquals, assertStringIncludes } from "@std/assert";
import { clientTest, runProgram } from "../support/clients.ts";
import { openFront } from "../support/raw_http.ts";

clientTest("h2load: 5000 requests over HTTP/2, none fails", ["h2load"], async ({ h2load }) => {
  await using front = await openFront({ handler: () => new Response(null, { status: 200 }) });
  const args = ["-n", "5000", "-c", "8", "-m", "16", front.url];
  const { code, stdout, stderr } = await runProgram(h2load, args);
  assertEquals(code, 0, stderr);
  assertStringIncludes(stdout, "5000 succeeded, 0 failed, 0 errored, 0 timeout");
  assertEquals(front.calls.length, 5000);
  assertEquals(new Set(front.calls.map(({ version }) => version)), new Set(["2"]));
  assertEquals(front.faults, []);
});

clientTest("h2load: 5000 requests over HTTP/1.1, none fails", ["h2load"], async ({ h2load }) => {
  await using front = await openFront({ handler: () => new Response("x") });
  const args = ["--h1", "-n", "5000", "-c", "16", front.url];
  const { code, stdout, stderr } = await runProgram(h2load, args);
  assertEquals(code, 0, stderr);
  assertStringIncludes(stdout, "5000 succeeded, 0 failed, 0 errored, 0 timeout");
  assertEquals(front.calls.length, 5000);
  assertEquals(front.faults, []);
});
