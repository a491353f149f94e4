import { API_BASE, coreRoutes } from "../../core/api/openapi.ts";
import type { ParamSet } from "../../core/http/route.ts";
import type { AnyPlugin } from "../../core/plugin.ts";
import { code, table, typeOf } from "./markdown.ts";

/** A route without the type of its state. */
interface DescribedRoute {
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  readonly query: ParamSet;
  readonly takesFilters?: true;
  readonly replies: Readonly<Record<number, { readonly about: string }>>;
}

/** `docs/reference/routes.md`: the read-back API. */
export function routesReference(plugins: readonly AnyPlugin[]): string {
  const parts = [
    "# Routes\n\nThe read-back API, generated from the route tables. Bodies are JSON unless stated otherwise; lists are " +
    'newest first; a refusal is `{ "error": "..." }`. Every route answers an unknown parameter with 400.\n',
    section("The service", API_BASE, coreRoutes),
    ...plugins.filter(({ routes }) => routes.length > 0)
      .map(({ id, title, routes }) => section(title, `${API_BASE}/${id}`, routes)),
  ];
  return parts.join("\n");
}

function section(title: string, base: string, routes: readonly DescribedRoute[]): string {
  const overview = table(
    ["Route", "What it does"],
    routes.map(({ method, path, summary }) => [code(`${method} ${base}${path}`), summary]),
  );
  return `## ${title}\n\n${overview}\n${routes.map((route) => detail(base, route)).join("\n")}`;
}

function detail(
  base: string,
  { method, path, query, takesFilters, replies }: DescribedRoute,
): string {
  const params = Object.entries(query);
  const asked = params.length === 0 ? "" : table(
    ["Query", "Type", "Meaning"],
    params.map(([name, { schema, about }]) => [code(name), typeOf(schema), about]),
  ) + "\n";
  const more = takesFilters === undefined
    ? ""
    : "It also takes the filters of the plugin that `plugin` or `type` names, as its list of messages does.\n\n";
  const answers = table(
    ["Status", "When"],
    Object.entries(replies).map(([status, { about }]) => [status, about]),
  );
  return `### ${method} ${base}${path}\n\n${asked}${more}${answers}`;
}
