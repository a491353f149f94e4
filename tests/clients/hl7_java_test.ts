import { assertEquals } from "@std/assert";
import type { CapturedEvent } from "../../core/events/event.ts";
import { hl7 } from "../../plugins/hl7/mod.ts";
import type { Hl7Message } from "../../plugins/hl7/model.ts";
import { requireMaven, runOk } from "../support/clients.ts";
import { startService } from "../support/service.ts";

Deno.test("HAPI for Java has every message acknowledged, and parses the answers", async (t) => {
  const project = await requireMaven(t, "hl7");
  if (project === undefined) return;
  await using service = await startService({ plugins: [hl7] });
  const source = `${project.folder}Send.java`;
  const args = ["-cp", project.classPath, source, String(service.endpoint("mllp").port)];
  // HAPI writes its last message id to a file in the folder it is started in.
  const cwd = await Deno.makeTempDir();
  const { stdout } = await runOk(project.java, args, { timeoutMs: 90_000, cwd })
    .finally(() => Deno.remove(cwd, { recursive: true }));
  assertEquals(stdout.trim().split("\n"), [
    ...Array.from({ length: 50 }, (_, id) => `ACK AA H${id}`),
    "ACK AA OWN",
  ]);
  const [own, latin, utf8] = service.events.list({ plugin: "hl7" }) as CapturedEvent<Hl7Message>[];
  assertEquals(own!.payload.separators.field, "$");
  assertEquals(own!.payload.header.structure, "ADT_A01");
  for (const [event, encoding] of [[latin, "iso-8859-1"], [utf8, "utf-8"]] as const) {
    assertEquals(event?.payload.encoding, encoding);
    const pid = event?.payload.segments?.find(({ id }) => id === "PID");
    assertEquals(pid?.fields[4]?.repetitions?.[0]?.components[0]?.value, "O|Brien & Søn^");
  }
  assertEquals(new Set([own, latin].map((event) => event?.meta.connection)), new Set([1]));
});
