import { shownName, suggest } from "../../options/suggest.ts";
import { isAlias } from "../../provider_names.ts";
import { type Api, ToolError } from "../api.ts";
import { isObject } from "../message.ts";
import { answerWith, READS, type Tool } from "../tool.ts";

/** A provider as the API describes it. */
interface Described {
  readonly name: string;
  readonly plugin: string;
  readonly title: string;
  readonly short_title: string;
  readonly aliases: readonly string[];
  readonly description: string;
  readonly url?: string;
  readonly endpoints: unknown;
  readonly snippets: unknown;
}

/** `how_to_send` */
export const howToSend: Tool = {
  name: "how_to_send",
  title: "How to send to Standin",
  description:
    "Says where the application under test must send so that Standin captures it. Without arguments: the " +
    "providers that run and their addresses. With provider: its endpoints, and code to paste for each client.",
  annotations: READS,
  properties: {
    provider: {
      type: "string",
      description: "Id, plugin or vendor: mail2, mail/mail2, mail, sendgrid, twilio, smtp, s3, …",
    },
  },
  async call(args, api) {
    const { provider } = args;
    const all = await describedBy(api);
    if (provider === undefined) {
      const providers = all.map(({ plugin, name, short_title, url }) => ({
        provider: `${plugin}/${name}`,
        stands_in_for: short_title,
        url,
      }));
      return answerWith({ providers });
    }
    const found = all.filter((one) => isMeant(one, String(provider)));
    if (found.length === 0) throw unknown(String(provider), all);
    return answerWith({
      providers: found.map(({ plugin, name, title, description, url, endpoints, snippets }) => ({
        provider: `${plugin}/${name}`,
        title,
        description,
        url,
        endpoints,
        snippets,
      })),
    });
  },
};

/** Returns the providers that a word means: by id, plugin or vendor. */
export async function findProviders(api: Api, word: string): Promise<readonly string[]> {
  const meant = (await describedBy(api)).filter((one) => isMeant(one, word));
  return meant.map(({ plugin, name }) => `${plugin}/${name}`);
}

async function describedBy(api: Api): Promise<readonly Described[]> {
  const plugins = await api.json({ method: "GET", path: "/plugins" });
  if (!Array.isArray(plugins)) return [];
  return plugins.flatMap((plugin) =>
    isObject(plugin) && Array.isArray(plugin.providers) ? plugin.providers : []
  );
}

function isMeant({ plugin, name, title, short_title, aliases }: Described, word: string): boolean {
  const wanted = word.toLowerCase();
  if ([plugin, name, `${plugin}/${name}`].includes(wanted)) return true;
  if (isAlias(word, { plugin, id: name, aliases })) return true;
  return `${title} ${short_title}`.toLowerCase().split(/[^a-z0-9]+/).includes(wanted);
}

function unknown(given: string, all: readonly Described[]): ToolError {
  const ids = all.map(({ plugin, name }) => `${plugin}/${name}`);
  const near = suggest(given, [...all.flatMap((one) => [one.name, ...one.aliases]), ...ids]);
  const hint = near === undefined ? "" : ` did you mean "${near}"?`;
  return new ToolError(`unknown provider ${shownName(given)};${hint} known are ${ids.join(", ")}`);
}
