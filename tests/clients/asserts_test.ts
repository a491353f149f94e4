/**
 * Tests in other languages: each sends with a vendor's package while it waits over HTTP, then
 * expects the captured event, and one that does not exist.
 */
import { assertEquals } from "@std/assert";
import { sms } from "../../plugins/sms/mod.ts";
import { requireGo, requireMaven, requireNode, requirePython, runOk } from "../support/clients.ts";
import { javaCalls, proxyOptions } from "../support/java.ts";
import { startService } from "../support/service.ts";
import { startTrusted } from "../support/tls.ts";

/** Output of every program. */
const SEEN = {
  waited: [200, ["482913"]],
  met: 200,
  missed: 409,
  closest: [["type", true], ["payload.body", false], ["codes[0]", true]],
};

const env = { NO_PROXY: "*" };

Deno.test("a test in Python waits and expects over HTTP", async (t) => {
  const python = await requirePython(t);
  if (python === undefined) return;
  await using service = await startService({ plugins: [sms] });
  const script = new URL("python/assert_calls.py", import.meta.url).pathname;
  const { stdout } = await runOk(python, [script, service.ingress.url, service.api.url], { env });
  assertEquals(JSON.parse(stdout), SEEN);
});

Deno.test("a test in Go waits and expects over HTTP", async (t) => {
  const program = await requireGo(t, "asserts");
  if (program === undefined) return;
  await using service = await startService({ plugins: [sms] });
  const { stdout } = await runOk(program, [service.ingress.url, service.api.url], { env });
  assertEquals(JSON.parse(stdout), SEEN);
});

Deno.test("a test in Java waits and expects over HTTP", async (t) => {
  const project = await requireMaven(t, "asserts");
  if (project === undefined) return;
  await using trusted = await startTrusted({ plugins: [sms] });
  const options = await proxyOptions(project, trusted);
  assertEquals<unknown>(await javaCalls(project, [trusted.service.api.url], options), SEEN);
});

Deno.test("a test in Node waits and expects over HTTP", async (t) => {
  const project = await requireNode(t);
  if (project === undefined) return;
  await using service = await startService({ plugins: [sms] });
  const args = ["--input-type=module", "-", service.ingress.url, service.api.url];
  const { stdout } = await runOk(project.node, args, { cwd: project.folder, env, stdin: NODE });
  assertEquals(JSON.parse(stdout), SEEN);
});

const NODE = `
import twilio from "twilio";
const [ingress, api] = process.argv.slice(2);
const client = twilio("AC00000000000000000000000000000000", "secret");
client.api.baseUrl = ingress;
const waiting = fetch(api + "/api/v1/events/wait?type=sms.message&has=code&timeout=20s");
await client.messages.create({ to: "+15558675310", from: "+15017122661", body: "482913 is your code" });
const waited = await waiting;
const [event] = await waited.json();
const expect = (body) =>
  fetch(api + "/api/v1/expect", {
    method: "POST",
    body: JSON.stringify({
      type: "sms.message",
      match: { "payload.body": body, "codes[0]": "482913" },
      timeout: 0,
    }),
  });
const met = await expect("482913 is your code");
const missed = await expect("Your code is 482913");
const { closest } = await missed.json();
console.log(JSON.stringify({
  waited: [waited.status, event.extracted.codes],
  met: met.status,
  missed: missed.status,
  closest: closest.fields.map(({ path, met }) => [path, met]),
}));
`;
