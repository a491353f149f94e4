import { compact } from "../compact.ts";
import type { OptionTree, Setting } from "./tree.ts";

/** A table of the file, as JSON Schema. */
export interface TableSchema {
  readonly type: "object";
  readonly description?: string;
  readonly additionalProperties: false;
  readonly properties: Readonly<Record<string, unknown>>;
}

/** JSON Schema (draft 7, which the TOML editors know) of the configuration file. */
export function settingsSchema(
  tree: OptionTree,
): TableSchema & { readonly $schema: string; readonly title: string } {
  return {
    $schema: "http://json-schema.org/draft-07/schema#",
    title: "Standin configuration",
    ...tableSchema(tree, ""),
  };
}

function tableSchema(tree: OptionTree, path: string): TableSchema {
  const section = tree.sections.find((one) => one.path === path);
  const settings = (section?.settings ?? []).map((setting) =>
    [setting.key, settingSchema(setting)] as const
  );
  const tables = childTables(tree, path).map((name) =>
    [name, tableSchema(tree, path === "" ? name : `${path}.${name}`)] as const
  );
  return {
    type: "object",
    ...compact({ description: section?.title }),
    additionalProperties: false,
    properties: Object.fromEntries([...settings, ...tables]),
  };
}

/** Returns the tables directly within a table; `plugins` is one although it has no settings itself. */
function childTables(tree: OptionTree, path: string): string[] {
  const prefix = path === "" ? "" : `${path}.`;
  const names = tree.sections.flatMap((section) => {
    if (section.path === path || !section.path.startsWith(prefix)) return [];
    return [section.path.slice(prefix.length).split(".", 1)[0]!];
  });
  return [...new Set(names)];
}

function settingSchema({ spec }: Setting): Readonly<Record<string, unknown>> {
  return {
    description: spec.about,
    ...spec.schema,
    ...compact({ default: spec.fallback }),
  };
}
