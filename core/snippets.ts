import { shellWord } from "./bytes/text.ts";
import { readBasic } from "./http/auth.ts";
import type { OptionSet, Values } from "./options/spec.ts";
import type { Endpoint, ExampleCall, PluginState, Provider, Snippet } from "./plugin.ts";

/** Returns the snippets of a provider: its example for curl, then its own. */
export function snippetsOf(
  provider: Provider<PluginState>,
  at: Endpoint,
  values: Values<OptionSet>,
): readonly Snippet[] {
  const own = provider.snippets?.(at, values) ?? [];
  if (provider.example === undefined) return own;
  return [curlSnippet(at, provider.example(hideSecrets(provider.options, values))), ...own];
}

/** Returns the snippet that makes a call with curl. */
export function curlSnippet(
  { url }: Pick<Endpoint, "url">,
  { path, method = "POST", headers, body }: ExampleCall,
): Snippet {
  const lines = [
    `curl -sS ${word(url + path)}`,
    ...(method === "POST" ? [] : [`-X ${word(method)}`]),
    ...Object.entries(headers).map(headerFlag),
    `--data-raw ${word(body)}`,
  ];
  return { title: "Send one message with curl", lang: "sh", code: lines.join(" \\\n  ") };
}

/** Readers can replace a hidden key in `-u`, but not in Base64. */
function headerFlag([name, value]: readonly [string, string]): string {
  const login = name.toLowerCase() === "authorization" ? readBasic(value) : undefined;
  return login === undefined
    ? `-H ${word(`${name}: ${value}`)}`
    : `-u ${word(`${login.username}:${login.password}`)}`;
}

function word(text: string): string {
  return /^[\w./:-]+$/.test(text) ? text : shellWord(text);
}

/** Replaces each secret that is set with `<key>`: snippets are shown to everyone. */
function hideSecrets(options: OptionSet, values: Values<OptionSet>): Values<OptionSet> {
  const hidden = Object.entries(options)
    .filter(([key, { secret }]) => secret === true && values[key] !== undefined)
    .map(([key]) => [key, `<${key}>`]);
  return { ...values, ...Object.fromEntries(hidden) };
}
