import { capitalize } from "./names.ts";

/** Files of a new plugin that has no provider yet, by path. */
export function pluginFiles(id: string): ReadonlyMap<string, string> {
  const name = capitalize(id);
  return new Map([
    [`plugins/${id}/model.ts`, modelFile(id, name)],
    [`plugins/${id}/capture.ts`, captureFile(id, name)],
    [`plugins/${id}/schema.ts`, schemaFile(id, name)],
    [`plugins/${id}/routes.ts`, routesFile(id, name)],
    [`plugins/${id}/mod.ts`, moduleFile(id, name)],
    [`plugins/${id}/README.md`, readmeFile(id, name)],
  ]);
}

function schemaFile(id: string, name: string): string {
  return `/** JSON shapes of captured messages. \`deno task docs\` makes \`model.ts\` from them. */
import { Type } from "../../core/shape_type.ts";
import { text } from "../../core/shapes.ts";

export const ${name}MessageShape = Type.Object({
  from: text("Sender"),
  to: text("Recipient"),
  text: text("Text of the message"),
}, { $id: "${id}.Message", description: "A captured ${id} message of any provider" });
`;
}

/** As `deno task docs` generates it from the shape. */
function modelFile(id: string, name: string): string {
  return `// Made from schema.ts by \`deno task docs\`: change the shapes there.

/** A captured ${id} message of any provider. */
export interface ${name}Message {
  /** Sender. */
  readonly from: string;
  /** Recipient. */
  readonly to: string;
  /** Text of the message. */
  readonly text: string;
}
`;
}

function captureFile(id: string, name: string): string {
  return `import type { CapturedEvent, RawRecord } from "../../core/events/event.ts";
import type { OptionSet } from "../../core/options/spec.ts";
import type { FaultSubject, PluginState, ProviderEnv } from "../../core/plugin.ts";
import type { ${name}Message } from "./model.ts";

/** A message to capture, from any provider. */
export type ${name}Draft = ${name}Message;

/** State of the ${id} plugin: its events. */
export type ${name}State = PluginState;

/** The parts of a provider's environment that capturing uses. */
export type ${name}Env = Pick<ProviderEnv<OptionSet, ${name}State>, "capture">;

/** Captures a message as an \`${id}.message\` event. */
export function capture${name}(
  env: ${name}Env,
  draft: ${name}Draft,
  about: { readonly raw: RawRecord; readonly meta: Readonly<Record<string, unknown>> },
): CapturedEvent<${name}Message> {
  return env.capture({
    type: "${id}.message",
    summary: \`\${draft.from} -> \${draft.to}: \${draft.text}\`,
    summary_parts: { from: draft.from, to: [draft.to], snippet: draft.text },
    meta: about.meta,
    payload: draft,
    raw: about.raw,
  });
}

/** Returns the subject of fault rules: a message before its capture. */
export function toFaultSubject(draft: ${name}Draft): Omit<FaultSubject, "raw"> {
  return { payload: draft, summary_parts: { to: [draft.to] } };
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
  return `import { definePlugin } from "../../core/plugin.ts";
import type { ${name}State } from "./capture.ts";
import { routes } from "./routes.ts";
import { ${name}MessageShape } from "./schema.ts";

/** ${name}: the items that its providers capture. */
export const ${id} = definePlugin<${name}State>({
  id: "${id}",
  title: "${name}",
  about: "Captures what is sent to its ${id} providers.",
  eventTypes: ["${id}.message"],
  payload: ${name}MessageShape,
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
