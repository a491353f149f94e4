import { assertEquals } from "@std/assert";
import { push } from "../../plugins/push/mod.ts";
import { requireMaven, runOk } from "../support/clients.ts";
import { startTrusted } from "../support/tls.ts";

Deno.test("pushy for Java sends a hundred pushes over one TLS connection, and reads every reason", async (t) => {
  const project = await requireMaven(t, "push");
  if (project === undefined) return;
  await using trusted = await startTrusted({ plugins: [push] });
  const { service, caFile } = trusted;
  const source = `${project.folder}Send.java`;
  const args = ["-cp", project.classPath, source, String(service.ingress.port), caFile];
  const { stdout } = await runOk(project.java, args, { timeoutMs: 120_000 });
  const counts: Record<string, number> = {};
  for (const line of stdout.trim().split("\n")) counts[line] = (counts[line] ?? 0) + 1;
  assertEquals(counts, { "200 - true true": 90, "400 MissingTopic true false": 10 });
  const events = service.events.list({ plugin: "push" });
  assertEquals(events.length, 90);
  assertEquals(new Set(events.map(({ raw }) => raw.http_version)), new Set(["2"]));
  assertEquals(new Set(events.map(({ raw }) => raw.peer_addr)).size, 1);
});
