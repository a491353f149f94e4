import { settingsSchema } from "../../core/options/json_schema.ts";
import { describeDefault } from "../../core/options/help.ts";
import { sampleFile } from "../../core/options/sample_file.ts";
import { optionTree, type Section } from "../../core/options/tree.ts";
import type { AnyPlugin } from "../../core/plugin.ts";
import { code, table } from "./markdown.ts";

/** `docs/reference/settings.md`: every setting with its key, flag, variable and default. */
export function settingsReference(plugins: readonly AnyPlugin[]): string {
  return [
    "# Settings\n",
    "A flag beats the environment variable, the variable beats the file given with `--config`, the file beats the " +
    "default. A setting without a flag can only be set in the file. `--in-port` is what the commands that run one plugin " +
    "call `--ingress-port`.\n",
    "Paths in the file start in its folder, `~` is the home folder. Port 0 is any free port. An empty text counts as " +
    "none; an empty variable counts as not given, except that it clears a list.\n",
    "[standin.toml](standin.toml) lists them all with their defaults; editors check a file against " +
    "[standin.schema.json](standin.schema.json).\n",
    ...optionTree(plugins).sections.map(sectionText),
  ].join("\n");
}

function sectionText(section: Section): string {
  const place = section.path === ""
    ? "At the top of the file."
    : `In ${code(`[${section.path}]`)}.`;
  const rows = section.settings.map((setting) => {
    const fallback = describeDefault(setting);
    return [
      code(setting.key),
      setting.flag === undefined ? "" : code(`--${setting.flag}`),
      setting.variable === undefined ? "" : code(setting.variable),
      fallback === undefined ? "" : code(fallback),
      setting.spec.about,
    ];
  });
  const columns = ["Key", "Flag", "Variable", "Default", "Meaning"];
  return `## ${section.title}\n\n${place}\n\n${table(columns, rows)}`;
}

/** `docs/reference/standin.toml`: every setting, commented out at its default. */
export function settingsSample(plugins: readonly AnyPlugin[]): string {
  return sampleFile(optionTree(plugins));
}

/** `docs/reference/standin.schema.json`: for editors. */
export function settingsSchemaFile(plugins: readonly AnyPlugin[]): string {
  return `${JSON.stringify(settingsSchema(optionTree(plugins)), null, 2)}\n`;
}
