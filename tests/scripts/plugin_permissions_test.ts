/** Each plugin runs alone with the permissions in `docs/plugins` and no others. */
import { assert, assertEquals } from "@std/assert";
import { optionTree } from "../../core/options/tree.ts";
import { STANDARD_PLUGINS } from "../../plugins/standard.ts";
import { PROGRAM_PERMISSIONS } from "../../scripts/permissions.ts";
import { KEPT_KEYS } from "../../scripts/reference/plugins.ts";
import { runToEnd } from "../cli/console.ts";
import { startProgram } from "../support/program.ts";

const ENVIRONMENT = PROGRAM_PERMISSIONS.find((flag) => flag.startsWith("--allow-env="))!;

for (const plugin of STANDARD_PLUGINS) {
  const key = KEPT_KEYS[plugin.id];
  const needsFolder = key !== undefined && key.withoutFlag === undefined;
  const what = needsFolder ? "the network and a folder for its key" : "the network alone";
  Deno.test(`${plugin.id} captures with a permission for ${what}`, async () => {
    const home = await Deno.realPath(await Deno.makeTempDir());
    const flags = ["--tls-in-memory", ...(key?.withoutFlag === undefined ? [] : [key.withoutFlag])];
    const ports = [...optionTree(STANDARD_PLUGINS).byPath.values()]
      .filter(({ spec, plugin: owner, flag }) =>
        spec.kind === "port" && owner === plugin.id && flag !== undefined
      )
      .map(({ flag, shortcutFlag }) => `--${shortcutFlag ?? flag}=0`);
    const isShared = plugin.providers.some(({ kind }) => kind === "ingress");
    const shared = isShared ? ["--in-port=0"] : [];
    try {
      await using program = await startProgram({
        args: [plugin.id, "--log-level=warn", "--ui-port=0", ...shared, ...ports, ...flags],
        env: { XDG_CONFIG_HOME: home },
        permissions: [
          "--no-prompt",
          "--allow-net=127.0.0.1,localhost",
          ENVIRONMENT,
          ...(needsFolder ? [`--allow-read=${home}`, `--allow-write=${home}`] : []),
        ],
      });
      const { ui } = program.urls;
      const demo = await runToEnd(["demo", plugin.id, "--url", ui!], { plugins: STANDARD_PLUGINS });
      assertEquals([demo.code, demo.stderr], [0, ""]);
      const events = await (await fetch(`${ui}/api/v1/events`)).json() as unknown[];
      assert(events.length > 0);
      const { code, stderr } = await program.stop();
      assertEquals({ code, stderr }, { code: 0, stderr: "" });
      const kept = await Array.fromAsync(Deno.readDir(home));
      assertEquals(kept.length, needsFolder ? 1 : 0);
    } finally {
      await Deno.remove(home, { recursive: true });
    }
  });
}
