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
    "A flag overrides the environment variable, the variable overrides the file given with `--config`, and the file " +
    "overrides the default. A setting without a flag can only be set in the file. In the commands that run one plugin, " +
    "`--ingress-port` is called `--in-port`.\n",
    "Relative paths in the file start in its folder, and `~` stands for your home folder. Port 0 takes any free port. " +
    "An empty string counts as no value; an empty variable counts as not set, except that it clears a list.\n",
    "[standin.toml](standin.toml) lists all settings with their defaults; editors can check a file against " +
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
