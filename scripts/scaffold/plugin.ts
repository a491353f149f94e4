import { capitalize } from "./names.ts";

/** Files of a new plugin that has no provider yet, by path. */
export function pluginFiles(id: string): ReadonlyMap<string, string> {
  const name = capitalize(id);
  return new Map([
    [`plugins/${id}/model.ts`, modelFile(id, name)],
    [`plugins/${id}/schema.ts`, schemaFile(id, name)],
    [`plugins/${id}/routes.ts`, routesFile(id, name)],
    [`plugins/${id}/mod.ts`, moduleFile(id, name)],
    [`plugins/${id}/README.md`, readmeFile(id, name)],
  ]);
}

function schemaFile(id: string, name: string): string {
  return `/** JSON shapes of what the plugin captures. \`model.ts\` is made from them, with the texts that they give. */
import { Type } from "@sinclair/typebox";
import { text } from "../../core/shapes.ts";

export const ${name}MessageShape = Type.Object({
  text: text("What was sent, as text"),
}, { $id: "${id}.Message", description: "A captured ${id} message, whichever provider took it" });
`;
}

/** As `deno task docs` makes it from the shape. */
function modelFile(id: string, name: string): string {
  return `// Made from schema.ts by \`deno task docs\`: change the shapes there.

/** A captured ${id} message, whichever provider took it. */
export interface ${name}Message {
  /** What was sent, as text. */
  readonly text: string;
}
`;
}

function routesFile(id: string, name: string): string {
  return `import type { CapturedEvent } from "../../core/events/event.ts";
import { envelopeShape, messageRoutes, toEnvelope } from "../../core/http/messages.ts";
import type { Route } from "../../core/http/route.ts";
import type { PluginState } from "../../core/plugin.ts";
import type { ${name}Message } from "./model.ts";
import { ${name}MessageShape } from "./schema.ts";

const messages = messageRoutes<PluginState, CapturedEvent<${name}Message>>({
  shape: envelopeShape("${id}.MessageEnvelope", { message: ${name}MessageShape }),
  toView: (event, ctx) => toEnvelope(event, ctx.eventUrl(event.id), { message: event.payload }),
});

/** Read-back routes, under \`/api/v1/${id}\`. */
export const routes: readonly Route<PluginState>[] = [
  messages.list(),
  messages.clear("Clear every message"),
  messages.one(),
  messages.remove("Remove one message"),
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
