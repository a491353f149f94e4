/**
 * Runs every curl snippet of every provider verbatim, so new providers are covered automatically.
 * Snippets for other programs have separate tests.
 */
import { assert } from "@std/assert";
import type { PluginInfo } from "../../core/api/describe.ts";
import { requireClient, runOk } from "../support/clients.ts";
import { startService } from "../support/service.ts";

/** Further programs in curl snippets. */
const PROGRAMS = ["curl", "openssl", "bash"];

Deno.test("every snippet with curl is captured by its provider", async (t) => {
  await using service = await startService();
  const folder = await Deno.makeTempDir();
  await using cleanup = new AsyncDisposableStack();
  cleanup.defer(() => Deno.remove(folder, { recursive: true }));
  const plugins = await service.getJson<readonly PluginInfo[]>("/plugins");
  const withoutOne: string[] = [];
  for (const plugin of plugins) {
    for (const provider of plugin.providers) {
      const name = `${plugin.name}/${provider.name}`;
      const found = provider.snippets.filter(({ lang, code }) =>
        lang === "sh" && /\bcurl\b/.test(code)
      );
      if (found.length === 0 && provider.endpoints.length > 0) withoutOne.push(name);
      for (const { title, code } of found) {
        await t.step(`${name}: ${title}`, async (t) => {
          const missing = PROGRAMS.filter((program) => new RegExp(`\\b${program}\\b`).test(code))
            .some((program) => requireClient(t, program) === undefined);
          if (missing) return;
          const count = () =>
            service.events.list({ plugin: plugin.name, provider: provider.name }).length;
          const before = count();
          await runOk("sh", ["-c", code], { cwd: folder, env: { NO_PROXY: "*" } });
          assert(count() > before, `${name} captured nothing of: ${code}`);
        });
      }
    }
  }
  assert(withoutOne.length === 0, `Without a snippet for curl: ${withoutOne.join(", ")}`);
});
