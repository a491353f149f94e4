import { describeApi } from "../../core/api/openapi.ts";
import type { AnyPlugin } from "../../core/plugin.ts";
import { code, table, typeOf } from "./markdown.ts";

interface Shape {
  readonly type?: string;
  readonly description?: string;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, { readonly description?: string }>>;
}

/** `docs/reference/events.md`: event types, and the shapes that the read-back API answers with. */
export function eventsReference(plugins: readonly AnyPlugin[]): string {
  const types = table(
    ["Type", "Plugin", "Providers"],
    plugins.flatMap((plugin) =>
      plugin.eventTypes.map((type) => [
        code(type),
        plugin.title,
        plugin.providers.map(({ id }) => id).join(", "),
      ])
    ),
  );
  const shapes = new Map<string, Shape>(
    [undefined, ...plugins.map(({ id }) => id)]
      .flatMap((id) => Object.entries(componentsOf(plugins, id))),
  );
  const sections = [...shapes].toSorted(([a], [b]) => a < b ? -1 : 1)
    .map(([name, shape]) => shapeSection(name, shape));
  return [
    "# Events\n\nEvery captured item is an event. Its `type` determines the shape of its payload.\n",
    types,
    "## Shapes\n\nGenerated from the declarations that also validate the responses.\n",
    ...sections,
  ].join("\n");
}

function componentsOf(
  plugins: readonly AnyPlugin[],
  plugin: string | undefined,
): Readonly<Record<string, Shape>> {
  const { components } = (describeApi(plugins, plugin) ?? {}) as {
    readonly components?: { readonly schemas?: Readonly<Record<string, Shape>> };
  };
  return components?.schemas ?? {};
}

function shapeSection(name: string, shape: Shape): string {
  const about = shape.description === undefined ? "" : `${shape.description}\n\n`;
  if (shape.properties === undefined) return `### ${name}\n\n${about}${typeOf(shape)}\n`;
  const rows = Object.entries(shape.properties).map(([property, schema]) => [
    code(property),
    typeOf(schema),
    shape.required?.includes(property) ? "yes" : "no",
    schema.description ?? "",
  ]);
  return `### ${name}\n\n${about}${table(["Property", "Type", "Always present", "Meaning"], rows)}`;
}
