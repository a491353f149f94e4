import { wrap } from "./help.ts";
import type { OptionTree, Setting } from "./tree.ts";

/** Columns of the sample file. */
const WIDTH = 100;

/** Writes a configuration file with every setting, commented out at its default. */
export function sampleFile(tree: OptionTree): string {
  const sections = tree.sections.map((section) => {
    const head = section.path === "" ? [] : [`[${section.path}]`];
    return [`### ${section.title}`, ...head, ...section.settings.flatMap(settingLines)].join("\n");
  });
  return `${sections.join("\n\n")}\n`;
}

function settingLines(setting: Setting): string[] {
  const given = setting.flag === undefined
    ? ""
    : `. Also --${setting.flag}, or ${setting.variable} in the environment`;
  return [
    ...wrap(`${setting.spec.about}${given}`, WIDTH - 3).map((line) => `## ${line}`),
    `# ${setting.key} = ${toToml(sampleValue(setting))}`,
  ];
}

/** Returns the default, else the setting's example, else the least accepted value. */
export function sampleValue({ spec }: Setting): unknown {
  const value = spec.fallback ?? spec.example;
  if (value !== undefined) return value;
  const { type, minimum } = spec.schema;
  if (type === "integer") return minimum ?? 0;
  if (type === "boolean") return false;
  return type === "array" ? [] : "";
}

/** Formats texts, numbers, booleans and lists of them as JSON, which is also TOML. */
function toToml(value: unknown): string {
  return Array.isArray(value) ? `[${value.map(toToml).join(", ")}]` : JSON.stringify(value);
}
