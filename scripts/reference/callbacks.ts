import { toShownParams } from "../../core/callbacks/shown.ts";
import type { ProviderCallbacks } from "../../core/callbacks/provider.ts";
import type { OptionSet } from "../../core/options/spec.ts";
import type { AnyPlugin, PluginState } from "../../core/plugin.ts";
import { code, table } from "./markdown.ts";

const INTRO = `# Callbacks

The calls that each provider makes to the application when [callbacks](../callbacks.md) are on, and where their form comes from.
`;

/** `docs/reference/callbacks.md`: the callbacks of every provider. */
export async function callbacksReference(plugins: readonly AnyPlugin[]): Promise<string> {
  const sections: string[] = [];
  for (const { id, providers } of plugins) {
    for (const provider of providers) {
      const callbacks = await provider.callbacks?.load();
      if (callbacks !== undefined) sections.push(section(`${id}/${provider.id}`, callbacks));
    }
  }
  return [INTRO, ...sections].join("\n");
}

function section(
  on: string,
  { schedule, kinds, inbound }: ProviderCallbacks<OptionSet, PluginState>,
): string {
  const { delaysMs, timeoutMs, source } = schedule;
  const attempts = delaysMs.length === 0
    ? "A failed call is not retried. It waits"
    : `A failed call is retried up to ${delaysMs.length} times. Each attempt waits`;
  return [
    `## ${on}\n`,
    Object.keys(kinds).length === 0 ? "No callback is about a captured item.\n" : table(
      ["Callback", "What the application receives", "Parameters", "Source"],
      Object.entries(kinds).map(([name, { about, params = {}, source }]) => [
        code(name),
        about,
        Object.entries(toShownParams(params)).map(([name, { about, default: value }]) =>
          `${code(name)}: ${about}${isEmpty(value) ? "" : `; ${code(String(value))} by default`}`
        ).join(". "),
        `[page](${source})`,
      ]),
    ),
    timeoutMs === 0
      ? "The vendor makes no calls.\n"
      : `${attempts} ${timeoutMs / 1000} s for the response ([page](${source})).\n`,
    ...(inbound === undefined ? [] : [
      `Inbound: ${inbound.about} ([page](${inbound.source})). For example:\n`,
      "```json",
      JSON.stringify({ provider: on.split("/")[1], payload: inbound.example }, undefined, 2),
      "```\n",
    ]),
  ].join("\n");
}

/** Whether a default adds nothing to the text of the parameter. */
function isEmpty(value: unknown): boolean {
  return value === undefined || value === "" ||
    (typeof value === "object" && value !== null && Object.keys(value).length === 0);
}
