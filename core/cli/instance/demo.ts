import type { PluginInfo } from "../../api/describe.ts";
import type { DemoAnswer, DemoSample, DemoTarget } from "../../demo.ts";
import { ConfigError, reasonOf } from "../../errors.ts";
import { requestHttp } from "../../net/http_client.ts";
import { CLIENT_NET } from "../../net/net.ts";
import { quote } from "../../options/given.ts";
import type { Settings } from "../../options/settings.ts";
import type { AnyPlugin, Endpoint, PluginState, Provider } from "../../plugin.ts";
import { vendorOf } from "../../provider_names.ts";
import type { CommandContext } from "../base/command.ts";
import type { Instance } from "./instance.ts";
import { bold, type CliIo } from "../base/io.ts";

const ANSWER_MS = 15_000;
/** Bytes quoted of a response that refuses a sample. */
const QUOTED = 300;

/** Sends the samples of every plugin, or of one, to a running instance. Returns 1 if any was refused. */
export async function sendDemo(
  instance: Instance,
  { io, plugins }: CommandContext,
  { settings, only }: { settings: Settings; only: string | undefined },
): Promise<number> {
  const chosen = choose(plugins, only);
  const running = new Map((await instance.plugins()).map((info) => [info.name, info]));
  const ui = await instance.ui();
  const tally = { sent: 0, failed: 0 };
  for (const plugin of chosen) {
    const info = running.get(plugin.id);
    if (info === undefined) {
      io.stdout(`${plugin.id}: not running there, so it gets nothing`);
      continue;
    }
    io.stdout(bold(io, `${plugin.id}: look at ${ui}/ui/${plugin.id}/`));
    const samples = await samplesOf(plugin);
    await sendSamples(samples, { instance, info, plugin, settings, io, tally });
  }
  io.stdout(`Sent ${tally.sent} items; see ${ui}/ui/`);
  if (tally.sent === 0 && tally.failed === 0) {
    io.stderr("Error: Nothing was sent: no provider with samples is running there");
  }
  return tally.failed > 0 || tally.sent === 0 ? 1 : 0;
}

/** Returns the plugin's samples, then the example of each provider that has none among them. */
export async function samplesOf(plugin: AnyPlugin): Promise<readonly DemoSample[]> {
  const own = await plugin.demo?.() ?? [];
  const sampled = new Set(own.map(({ provider }) => provider));
  const missing = plugin.providers.filter(({ id }) => !sampled.has(id));
  return [...own, ...missing.flatMap(sampleOfExample)];
}

function sampleOfExample(provider: Provider<PluginState>): readonly DemoSample[] {
  if (provider.example === undefined) return [];
  return [{
    provider: provider.id,
    what: `The example of ${vendorOf(provider)}`,
    async send({ values, request }) {
      const { path, ...call } = provider.example!(values);
      await request(path, call);
    },
  }];
}

function choose(plugins: readonly AnyPlugin[], only: string | undefined): readonly AnyPlugin[] {
  const able = plugins.filter(({ demo, providers }) =>
    demo !== undefined || providers.some(({ example }) => example !== undefined)
  );
  if (only === undefined) return able;
  const found = able.filter(({ id }) => id === only);
  if (found.length > 0) return found;
  const valid = able.map(({ id }) => id).join(", ");
  throw new ConfigError(`unknown plugin ${quote(only)}: plugins with samples are ${valid}`);
}

interface Sending {
  readonly instance: Instance;
  readonly info: PluginInfo;
  readonly plugin: AnyPlugin;
  readonly settings: Settings;
  readonly io: CliIo;
  readonly tally: { sent: number; failed: number };
}

async function sendSamples(samples: readonly DemoSample[], sending: Sending): Promise<void> {
  const { io, info, tally, plugin } = sending;
  const now = new Date();
  const absent = new Set<string>();
  for (const sample of samples) {
    const url = info.providers.find(({ name }) => name === sample.provider)?.url;
    if (url === undefined) {
      if (!absent.has(sample.provider)) io.stdout(`  ${sample.provider}: not running there`);
      absent.add(sample.provider);
      continue;
    }
    try {
      await sample.send(targetOf(sample, { ...sending, url, now }));
      tally.sent++;
      io.stdout(`  ${sample.provider}: ${sample.what}`);
    } catch (error) {
      tally.failed++;
      io.stderr(
        `Error: Cannot send to ${plugin.id}/${sample.provider} (${sample.what}): ${
          reasonOf(error)
        }`,
      );
    }
  }
}

function targetOf(
  sample: DemoSample,
  { instance, plugin, settings, url, now }: Sending & { url: string; now: Date },
): DemoTarget {
  const at = reachedBy(new URL(instance.base).hostname, url);
  const values = settings.plugins.get(plugin.id)?.providers.get(sample.provider)?.values ?? {};
  return {
    at,
    values,
    now,
    net: CLIENT_NET,
    async request(path, call): Promise<DemoAnswer> {
      const request = { method: "POST", timeoutMs: ANSWER_MS, ...call };
      const answer = await requestHttp(`${at.url}${path}`, request);
      if (answer.status >= 200 && answer.status < 300) return answer;
      const text = new TextDecoder().decode(answer.body.subarray(0, QUOTED));
      const said = text.replace(/\p{Cc}+/gu, " ").trim();
      throw new Error(`it answered ${answer.status}${said === "" ? "" : `: ${said}`}`);
    },
  };
}

/** Listeners are reached by the host name of the API; the printed one may mean another machine. */
function reachedBy(hostname: string, url: string): Endpoint {
  const { protocol, port } = new URL(url);
  const bare = hostname.replace(/^\[|\]$/g, "");
  return { hostname: bare, port: Number(port), url: `${protocol}//${hostname}:${port}` };
}
