/**
 * The compiled programs as npm packages: one per platform with only the program, and `standin-cli`, which starts the one
 * that npm chose as an optional dependency. No install script runs, and the packages fetch nothing.
 *
 * @module
 */
import { join } from "@std/path/join";
import config from "../../deno.json" with { type: "json" };
import { TARGETS } from "../compile.ts";
import { NOTICES } from "./notices.ts";

/** The package that users install. */
export const LAUNCHER = "standin-cli";
const SCOPE = "@standin";

/** One platform by our name and by those of npm (`process.platform`, `process.arch`). */
interface Platform {
  readonly name: string;
  readonly os: string;
  readonly cpu: string;
  /** File extension of the program. */
  readonly suffix: string;
}

const OS_NAMES: Readonly<Record<string, string>> = { macos: "darwin", windows: "win32" };

const PLATFORMS: readonly Platform[] = Object.keys(TARGETS).map((name) => {
  const [os = "", cpu = ""] = name.split("-");
  return { name, os: OS_NAMES[os] ?? os, cpu, suffix: os === "windows" ? ".exe" : "" };
});

/**
 * Writes a package for each program in `dist`, and the launcher for them; `partial` skips those
 * whose program is missing. Returns their folders, the launcher last.
 */
export async function writeNpmPackages(
  dist: string,
  output: string,
  { partial = false }: { readonly partial?: boolean } = {},
): Promise<readonly string[]> {
  const folders: string[] = [];
  const dependencies: Record<string, string> = {};
  const licences = await Deno.readTextFile(join(dist, NOTICES)).catch(() => undefined);
  for (const platform of PLATFORMS) {
    const program = join(dist, `standin-${platform.name}${platform.suffix}`);
    const name = `${SCOPE}/${platform.os}-${platform.cpu}`;
    dependencies[name] = config.version;
    if (partial && !await Deno.stat(program).then(() => true, () => false)) continue;
    const folder = join(output, `${platform.os}-${platform.cpu}`);
    await Deno.mkdir(folder, { recursive: true });
    await Deno.copyFile(program, join(folder, `standin${platform.suffix}`));
    await Deno.chmod(join(folder, `standin${platform.suffix}`), 0o755);
    await writeManifest(folder, {
      name,
      description: `The standin program for ${platform.name}`,
      os: [platform.os],
      cpu: [platform.cpu],
      // The program needs glibc.
      ...(platform.os === "linux" ? { libc: ["glibc"] } : {}),
      files: [`standin${platform.suffix}`, ...(licences === undefined ? [] : [NOTICES])],
      preferUnplugged: true,
    });
    if (licences !== undefined) await Deno.writeTextFile(join(folder, NOTICES), licences);
    folders.push(folder);
  }
  const folder = join(output, LAUNCHER);
  await Deno.mkdir(folder, { recursive: true });
  await Deno.copyFile(new URL("launcher.cjs", import.meta.url), join(folder, "launcher.cjs"));
  await writeManifest(folder, {
    name: LAUNCHER,
    description: "Stands in for the outside services that an application sends to",
    bin: { standin: "launcher.cjs" },
    files: ["launcher.cjs"],
    engines: { node: ">=18" },
    optionalDependencies: dependencies,
  });
  return [...folders, folder];
}

async function writeManifest(
  folder: string,
  manifest: Readonly<Record<string, unknown>>,
): Promise<void> {
  const { version, license } = config;
  const { name, description, ...rest } = manifest;
  const text = JSON.stringify(
    { name, version, description, license, ...rest, publishConfig: { access: "public" } },
    null,
    2,
  );
  await Deno.writeTextFile(join(folder, "package.json"), `${text}\n`);
  await Deno.copyFile(new URL("../../LICENSE", import.meta.url), join(folder, "LICENSE"));
  await Deno.writeTextFile(join(folder, "README.md"), `# ${name}\n\n${description}.\n`);
}
