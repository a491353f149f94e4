/** The `node-hl7-client` package of npm, on Node. */
import { assertEquals } from "@std/assert";
import type { CapturedEvent } from "../../core/events/event.ts";
import { hl7 } from "../../plugins/hl7/mod.ts";
import { snippets } from "../../plugins/hl7/mllp/snippets.ts";
import type { Hl7Message } from "../../plugins/hl7/model.ts";
import { type NodeProject, requireNode, runOk } from "../support/clients.ts";
import { startService, type TestService } from "../support/service.ts";

async function run({ node, folder }: NodeProject, code: string): Promise<string> {
  const args = ["--input-type=module", "--eval", code];
  return (await runOk(node, args, { cwd: folder })).stdout.trim();
}

function messages(service: TestService): CapturedEvent<Hl7Message>[] {
  return service.events.list({ plugin: "hl7" }) as CapturedEvent<Hl7Message>[];
}

Deno.test("the Node.js snippet runs", async (t) => {
  const project = await requireNode(t);
  if (project === undefined) return;
  await using service = await startService({ plugins: [hl7] });
  const snippet = snippets(service.endpoint("mllp")).find(({ lang }) => lang === "js");
  assertEquals(await run(project, snippet?.code ?? ""), "AA");
  const [event] = messages(service);
  assertEquals(event?.payload.patient, { id: "4711", name: "Lovelace^Ada" });
  assertEquals(event?.payload.issues, undefined);
});

Deno.test("node-hl7-client has 100 messages and a batch acknowledged", async (t) => {
  const project = await requireNode(t);
  if (project === undefined) return;
  await using service = await startService({ plugins: [hl7] });
  const stdout = await run(
    project,
    `import { Batch, Client, Message } from "node-hl7-client";
const one = (id) =>
  new Message({ text: "MSH|^~\\\\&|N|H|L|C|1||ADT^A01^ADT_A01|" + id + "|P|2.7\\rPID|1||1" });
const seen = [];
const client = new Client({ host: "127.0.0.1" });
const connection = client.createConnection({ port: ${service.endpoint("mllp").port} }, (answer) => {
  const message = answer.getMessage();
  seen.push(message.get("MSA.1").toString() + " " + message.get("MSA.2").toString());
  if (seen.length < 100) connection.sendMessage(one(seen.length));
  if (seen.length === 100) {
    const batch = new Batch();
    batch.start();
    batch.add(one("B1"));
    batch.add(one("B2"));
    batch.end();
    connection.sendMessage(batch);
  }
  if (seen.length < 102) return;
  console.log(JSON.stringify(seen));
  connection.close();
});
connection.once("connect", () => connection.sendMessage(one(0)));`,
  );
  assertEquals(JSON.parse(stdout).slice(0, 3), ["AA 0", "AA 1", "AA 2"]);
  assertEquals(JSON.parse(stdout).slice(-2), ["AA B1", "AA B2"]);
  assertEquals(messages(service).length, 102);
});
