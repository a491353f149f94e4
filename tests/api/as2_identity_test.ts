import { assertEquals, assertMatch } from "@std/assert";
import { startCore } from "../../core/app/start.ts";
import { createLogger } from "../../core/log.ts";
import { resolveSettings } from "../../core/options/resolve.ts";
import { as2 } from "../../plugins/as2/mod.ts";
import type { IdentityInfo } from "../../plugins/as2/model.ts";
import { startService } from "../support/service.ts";

async function filesAfterUse(
  sources: Parameters<typeof resolveSettings>[1],
  { own, look }: { own: string; look: string },
): Promise<string[]> {
  await using service = await startCore([as2], {
    settings: resolveSettings([as2], { ...sources, portsZero: true }),
    log: createLogger({ level: "error", write: () => {}, now: () => new Date() }),
    configFolder: own,
  });
  const response = await fetch(`http://127.0.0.1:${service.ingress.port}/as2/certificate`);
  assertEquals(response.status, 200);
  await response.body?.cancel();
  const entries = await Array.fromAsync(Deno.readDir(look)).catch(() => []);
  return entries.map(({ name }) => name).sort();
}

Deno.test("a key is stored beside the configuration file, else in the user's folder, else nowhere", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const own = `${folder}/own`;
    const beside = `${folder}/beside`;
    const kept = ["as2-cert.pem", "as2-key.pem"];
    const file = { path: `${beside}/standin.toml`, tree: {} };
    const throwAway = { flags: { "as2-in-memory": ["true"] } };
    assertEquals(
      await filesAfterUse({ file, configFolder: beside }, { own, look: beside }),
      kept,
    );
    assertEquals(await filesAfterUse(throwAway, { own, look: `${own}/as2` }), []);
    assertEquals(await filesAfterUse({}, { own, look: `${own}/as2` }), kept);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("an unusable folder logs a warning and leaves a key for this run only", async () => {
  const file = await Deno.makeTempFile();
  try {
    const http = { cert_dir: `${file}/as2` };
    await using service = await startService({
      plugins: [as2],
      config: { plugins: { as2: { providers: { http } } } },
    });
    const info = await service.getJson<IdentityInfo>("/as2/identity");
    assertEquals([info.ready, info.source, info.cert_path], [true, "memory", undefined]);
    assertEquals(service.log.length, 1);
    assertMatch(service.log[0]!, /Cannot keep the AS2 key: partners need a new certificate/);
  } finally {
    await Deno.remove(file);
  }
});
