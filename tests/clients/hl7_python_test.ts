/** The hl7 and hl7apy packages of Python. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import type { CapturedEvent } from "../../core/events/event.ts";
import { hl7 } from "../../plugins/hl7/mod.ts";
import { snippets } from "../../plugins/hl7/mllp/snippets.ts";
import type { Hl7Message } from "../../plugins/hl7/model.ts";
import { requireClient, requirePython, runOk } from "../support/clients.ts";
import { startService, type TestService } from "../support/service.ts";

function messages(service: TestService): CapturedEvent<Hl7Message>[] {
  return service.events.list({ plugin: "hl7" }) as CapturedEvent<Hl7Message>[];
}

function snippet(service: TestService, title: RegExp): string {
  const found = snippets(service.endpoint("mllp")).find((item) => title.test(item.title));
  assert(found !== undefined);
  return found.code;
}

Deno.test("the hl7 client and a message of hl7apy are acknowledged, and both read the answer", async (t) => {
  const python = await requirePython(t);
  if (python === undefined) return;
  await using service = await startService({ plugins: [hl7] });
  const script = new URL("python/hl7_send.py", import.meta.url).pathname;
  const { stdout } = await runOk(python, [script, `${service.endpoint("mllp").port}`]);
  assertEquals(JSON.parse(stdout), [["LAB", "AA", "PY1"], ["ACK^A01^ACK", "AA", "APY1"]]);
  const [built, parsed] = messages(service);
  assertEquals(parsed!.payload.patient, { id: "4711", name: "Müller^Jürgen" });
  const obx = parsed!.payload.segments?.find(({ id }) => id === "OBX");
  assertEquals(obx?.fields[4]?.repetitions?.[0]?.components, [{ value: "a|b\nc" }]);
  assertEquals(built!.payload.header.structure, "ADT_A01");
  assertEquals(messages(service).map(({ payload }) => payload.issues), [undefined, undefined]);
});

Deno.test("mllp_send sends a file of several messages, and prints each answer", async (t) => {
  const python = await requirePython(t);
  if (python === undefined) return;
  await using service = await startService({ plugins: [hl7] });
  const file = await Deno.makeTempFile();
  try {
    const one = (id: number) => `MSH|^~\\&|A|B|C|D|1||ADT^A01|S${id}|P|2.5\rPID|1||${id}\r`;
    await Deno.writeTextFile(file, [1, 2, 3].map((id) => `\v${one(id)}\x1c\r`).join(""));
    const sender = python.replace(/python$/, "mllp_send");
    const { port } = service.endpoint("mllp");
    const { stdout } = await runOk(sender, ["--file", file, "--port", `${port}`, "127.0.0.1"]);
    assertEquals([...stdout.matchAll(/MSA\|AA\|(\w+)/g)].map(([, id]) => id), ["S1", "S2", "S3"]);
    assertEquals(messages(service).length, 3);
  } finally {
    await Deno.remove(file);
  }
});

Deno.test("the Python snippet runs", async (t) => {
  const python = await requirePython(t);
  if (python === undefined) return;
  await using service = await startService({ plugins: [hl7] });
  const { stdout } = await runOk(python, ["-c", snippet(service, /^Python \(hl7\)$/)]);
  assertMatch(stdout, /MSA\|AA\|MSG00001/);
  assertEquals(messages(service)[0]?.payload.patient, { id: "4711", name: "Lovelace^Ada" });
});

Deno.test("the mllp_send snippet runs", async (t) => {
  const python = await requirePython(t);
  if (python === undefined || requireClient(t, "sh") === undefined) return;
  await using service = await startService({ plugins: [hl7] });
  const PATH = `${python.replace(/\/python$/, "")}:${Deno.env.get("PATH")}`;
  const cwd = await Deno.makeTempDir();
  try {
    const { stdout } = await runOk("sh", ["-c", snippet(service, /mllp_send/)], {
      env: { PATH },
      cwd,
    });
    assertMatch(stdout, /MSA\|AA\|MSG00001/);
    assertEquals(messages(service)[0]?.payload.issues, undefined);
  } finally {
    await Deno.remove(cwd, { recursive: true });
  }
});

Deno.test("the bash snippet runs", async (t) => {
  if (requireClient(t, "bash") === undefined || requireClient(t, "sh") === undefined) return;
  await using service = await startService({ plugins: [hl7] });
  const { stdout } = await runOk("sh", ["-c", snippet(service, /bash/)]);
  assertMatch(stdout, /^MSA\|AA\|MSG00001$/m);
  assertEquals(messages(service)[0]?.payload.patient, { id: "4711", name: "Lovelace^Ada" });
  assertEquals(messages(service)[0]?.payload.issues, undefined);
});
