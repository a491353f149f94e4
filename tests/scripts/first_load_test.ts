/** Modules that the program loads before it knows its command, and before it listens. */
import { assert, assertEquals } from "@std/assert";

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

/** Returns all static dependencies of these modules. */
async function loadedWith(...paths: readonly string[]): Promise<readonly string[]> {
  const { stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["info", "--json", "main.ts"],
    cwd: ROOT,
    env: { NO_COLOR: "1" },
  }).output();
  const { modules } = JSON.parse(new TextDecoder().decode(stdout)) as Info;
  const loaded = new Set(paths.map((path) => new URL(path, ROOT).href));
  for (const specifier of loaded) {
    const found = modules.find((module) => module.specifier === specifier);
    for (const { code, isDynamic } of found?.dependencies ?? []) {
      if (isDynamic !== true && code?.specifier !== undefined) loaded.add(code.specifier);
    }
  }
  return [...loaded].map((specifier) =>
    specifier.startsWith(ROOT.href) ? specifier.slice(ROOT.href.length) : specifier
  );
}

Deno.test("the version is printed before any plugin, the user interface or the commands are loaded", async () => {
  const own = (await loadedWith("main.ts")).filter((name) => !name.includes(":"));
  assertEquals(own.toSorted(), [
    "core/cli/base/command.ts",
    "core/cli/base/io.ts",
    "core/options/paths.ts",
    "core/version.ts",
    "deno.json",
    "main.ts",
  ]);
});

Deno.test("a start loads no HTTP client, no mail composer and no code for a single command", async () => {
  const loaded = await loadedWith("main.ts", "core/cli/run.ts", "plugins/standard.ts");
  assert(loaded.includes("plugins/mail/mod.ts"));
  const later =
    /^node:https?2?$|^npm:\/?(?:nodemailer|pkijs|ssh2|net-snmp|@zip\.js)\b|^core\/net\/http_client\.ts$|\/demo\.ts$/;
  assertEquals(loaded.filter((name) => later.test(name)), []);
});
