import { processIo } from "./core/cli/base/io.ts";
import { isVersionCall, versionLine } from "./core/cli/base/command.ts";

/** Loads only what is needed: `--version` needs nothing else. */
async function main(args: readonly string[]): Promise<number> {
  const io = processIo();
  if (isVersionCall(args)) {
    io.stdout(versionLine());
    return 0;
  }
  const [{ runCli }, { STANDARD_PLUGINS }] = await Promise.all([
    import("./core/cli/run.ts"),
    import("./plugins/standard.ts"),
  ]);
  return await runCli(args, io, {
    plugins: STANDARD_PLUGINS,
    loadUi: async () => {
      const [{ ASSETS }, { toServed }] = await Promise.all([
        import("./ui/assets.ts"),
        import("./ui/library.ts"),
      ]);
      return { assets: ASSETS, toServed };
    },
  });
}

if (import.meta.main) Deno.exit(await main(Deno.args));
