/** Modules that the program loads before it knows its command. */
import { assertEquals } from "@std/assert";

const ROOT = new URL("../../", import.meta.url);

interface Info {
  readonly modules: readonly {
    readonly specifier: string;
    readonly dependencies?: readonly {
      readonly code?: { readonly specifier?: string };
      readonly isDynamic?: boolean;
    }[];
  }[];
}

Deno.test("the version is printed before any plugin, the user interface or the commands are loaded", async () => {
  const { stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["info", "--json", "main.ts"],
    cwd: ROOT,
    env: { NO_COLOR: "1" },
  }).output();
  const { modules } = JSON.parse(new TextDecoder().decode(stdout)) as Info;
  const loaded = new Set([new URL("main.ts", ROOT).href]);
  for (const specifier of loaded) {
    const found = modules.find((module) => module.specifier === specifier);
    for (const { code, isDynamic } of found?.dependencies ?? []) {
      if (isDynamic !== true && code?.specifier !== undefined) loaded.add(code.specifier);
    }
  }
  const own = [...loaded].filter((specifier) => specifier.startsWith(ROOT.href))
    .map((specifier) => specifier.slice(ROOT.href.length));
  assertEquals(own.sort(), [
    "core/cli/base/command.ts",
    "core/cli/base/io.ts",
    "core/options/paths.ts",
    "core/version.ts",
    "deno.json",
    "main.ts",
  ]);
});
