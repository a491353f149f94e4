import { assertEquals } from "@std/assert";
import { push } from "../../plugins/push/mod.ts";
import { requirePython, runOk } from "../support/clients.ts";
import { startTrusted } from "../support/tls.ts";

Deno.test("aioapns sends fifty pushes at once over TLS, and matches every answer", async (t) => {
  const python = await requirePython(t);
  if (python === undefined) return;
  await using trusted = await startTrusted({ plugins: [push] });
  const { service, caFile } = trusted;
  const script = new URL("python/aioapns_calls.py", import.meta.url).pathname;
  const { stdout } = await runOk(python, [script, String(service.ingress.port), caFile]);
  assertEquals(JSON.parse(stdout), {
    good: 49,
    bad: [["400", "BadCollapseId"]],
    matched: true,
  });
  const events = service.events.list({ plugin: "push" });
  assertEquals(events.length, 49);
  assertEquals(new Set(events.map(({ raw }) => raw.http_version)), new Set(["2"]));
});
