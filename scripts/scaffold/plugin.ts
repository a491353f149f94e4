import { capitalize } from "./names.ts";

/** Files of a new plugin that has no provider yet, by path. */
export function pluginFiles(id: string): ReadonlyMap<string, string> {
  const name = capitalize(id);
  return new Map([
    [`plugins/${id}/model.ts`, modelFile(id, name)],
    [`plugins/${id}/routes.ts`, routesFile(id, name)],
    [`plugins/${id}/mod.ts`, moduleFile(id, name)],
    [`plugins/${id}/README.md`, readmeFile(id, name)],
  ]);
}

function modelFile(id: string, name: string): string {
  return `import { type Static, Type } from "@sinclair/typebox";

/** A captured ${id} message, whichever provider took it. */
export const ${name}MessageShape = Type.Object({
  text: Type.String({ description: "What was sent, as text" }),
}, { $id: "${id}.Message" });

/** A captured ${id} message. */
export type ${name}Message = Static<typeof ${name}MessageShape>;
`;
}

function routesFile(id: string, name: string): string {
  return `import { Type } from "@sinclair/typebox";
import { LIST_PARAMS, LIST_REFUSALS, listEvents } from "../../core/http/list.ts";
import { json } from "../../core/http/reply.ts";
import { type Route, routeFor } from "../../core/http/route.ts";
import type { PluginState } from "../../core/plugin.ts";
import { ${name}MessageShape } from "./model.ts";

const route = routeFor<PluginState>();

const EntryShape = Type.Object({
  id: Type.String(),
  provider: Type.String(),
  received_at: Type.String({ format: "date-time" }),
  message: ${name}MessageShape,
}, { $id: "${id}.MessageEntry" });

/** Read-back routes, under \`/api/v1/${id}\`. */
export const routes: readonly Route<PluginState>[] = [
  route({
    method: "GET",
    path: "/messages",
    summary: "Captured messages, newest first",
    query: LIST_PARAMS,
    replies: {
      200: { about: "The messages", content: { "application/json": Type.Array(EntryShape) } },
      ...LIST_REFUSALS,
    },
    async handle(call) {
      const found = await listEvents(call);
      return json(
        found.map(({ id, provider, received_at, payload }) => ({
          id,
          provider,
          received_at,
          message: payload,
        })),
      );
    },
  }),
];
`;
}

function moduleFile(id: string, name: string): string {
  return `import { definePlugin, type PluginState } from "../../core/plugin.ts";
import { routes } from "./routes.ts";

/** ${name}: what its providers take. */
export const ${id} = definePlugin<PluginState>({
  id: "${id}",
  title: "${name}",
  about: "Captures what is sent to its ${id} providers.",
  eventTypes: [],
  providers: [],
  routes,
  open: () => ({}),
});
`;
}

function readmeFile(id: string, name: string): string {
  return `# ${name}

What the plugin stands in for, and what it leaves out on purpose.

| Provider | Stands in for |
| -------- | ------------- |

Read back: \`GET /api/v1/${id}/messages\`.
`;
}
