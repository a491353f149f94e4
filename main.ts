import { processIo } from "./core/cli/io.ts";
import { runCli } from "./core/cli/run.ts";
import { STANDARD_PLUGINS } from "./plugins/standard.ts";
import { ASSETS } from "./ui/assets.ts";
import { toServed } from "./ui/library.ts";

if (import.meta.main) {
  const program = { plugins: STANDARD_PLUGINS, assets: ASSETS, toServed };
  Deno.exit(await runCli(Deno.args, processIo(), program));
}
