import type { PluginInfo, ProviderInfo } from "../../api/describe.ts";
import type { Readiness } from "../../api/ready.ts";
import { reasonOf } from "../../errors.ts";
import type { Settings } from "../../options/settings.ts";
import type { OptionTree } from "../../options/tree.ts";
import type { AnyPlugin, Endpoint } from "../../plugin.ts";
import { shownPlace } from "../../provider_names.ts";
import { type CommandContext, PROGRAM } from "../base/command.ts";
import { checkLogEngine } from "./engine.ts";
import { type Finding, printFindings } from "./finding.ts";
import { checkPorts, checkReach } from "./ports.ts";
import { checkTls } from "./tls.ts";
import { type Instance, readReadiness } from "../instance/instance.ts";
import { bold, type CliIo } from "../base/io.ts";

/** Options of the command. */
export interface DoctorOptions {
  readonly settings: Settings;
  readonly tree: OptionTree;
  /** Returns the instance; throws if the settings do not locate it. */
  find(): Instance;
}

/** Checks settings, ports, names and certificates, and prints the findings. Returns 1 if there is a problem. */
export async function examine(
  { io, plugins }: CommandContext,
  { settings, tree, find }: DoctorOptions,
): Promise<number> {
  const { instance, live, findings } = await lookForInstance(find);
  const ingress = endpointOf(live?.listeners.find(({ name }) => name === "ingress")?.url);
  const sections: readonly (readonly [string, readonly Finding[]])[] = [
    ["Settings", settings.warnings.map((text) => ({ mark: "note", text }))],
    ["Instance", findings],
    ["Events", await checkLogEngine(settings)],
    ["Ports", await checkPorts(plugins, { settings, tree, live })],
    ["Names", live === undefined ? [] : await checkReach(live)],
    ["TLS", await checkTls({ plugins, settings, io, instance, ingress })],
  ];
  for (const [title, found] of sections) printFindings(io, title, found);
  const infos = instance === undefined ? [] : await instance.plugins();
  await printClients(io, plugins, infos);
  const bad = sections.flatMap(([, found]) => found).filter(({ mark }) => mark === "bad").length;
  io.stdout(bad === 0 ? "No problems found" : `${bad} ${bad === 1 ? "problem" : "problems"} found`);
  return bad === 0 ? 0 : 1;
}

interface Found {
  readonly instance: Instance | undefined;
  readonly live: Readiness | undefined;
  readonly findings: readonly Finding[];
}

async function lookForInstance(find: () => Instance): Promise<Found> {
  const none = (mark: Finding["mark"], text: string): Found => ({
    instance: undefined,
    live: undefined,
    findings: [{ mark, text }],
  });
  try {
    const instance = find();
    const { status, body } = await instance.get("/ready");
    const live = status === 200 || status === 503 ? readReadiness(body) : undefined;
    if (live === undefined) {
      return none("bad", `Something else answers at ${instance.base} (status ${status})`);
    }
    const name = live.instance === undefined ? "" : ` "${live.instance}"`;
    return {
      instance,
      live,
      findings: [{
        mark: live.status === "ready" ? "ok" : "note",
        text: `${PROGRAM}${name} at ${instance.base} is ${live.status}`,
      }],
    };
  } catch (error) {
    return none("note", `Not checked: ${reasonOf(error)}`);
  }
}

/** Prints how to point each client of the real services at the instance. */
async function printClients(
  io: CliIo,
  plugins: readonly AnyPlugin[],
  infos: readonly PluginInfo[],
): Promise<void> {
  const lines: string[] = [];
  for (const plugin of plugins) {
    const providers = infos.find(({ name }) => name === plugin.id)?.providers ?? [];
    const settings = await plugin.clients?.() ?? [];
    for (const { provider, client, code, environment } of settings) {
      const at = endpointOf(providers.find(({ name }) => name === provider)?.url);
      if (at === undefined) continue;
      lines.push(`  ${shownPlace(`${plugin.id}/${provider}`, plugins)}  ${client}`);
      if (code !== undefined) lines.push(`        in code: ${code(at)}`);
      if (environment !== undefined) lines.push(`        without code changes: ${environment}`);
    }
    const listed = new Set(settings.map(({ provider }) => provider));
    for (const info of providers.filter(({ name }) => !listed.has(name))) {
      for (const line of clientsOfSnippets(info, plugins)) lines.push(line);
    }
  }
  if (lines.length === 0) return;
  io.stdout(bold(io, `Clients on these ports (CA and proxies: ${PROGRAM} ca)`));
  for (const line of lines) io.stdout(line);
}

/** Languages of snippets that are commands, or settings of Standin and of other servers. */
const NOT_CODE: readonly string[] = ["sh", "toml", "xml"];

/** Names the clients of a provider's snippets in a programming language. */
function clientsOfSnippets(
  { plugin, name, url, snippets }: ProviderInfo,
  plugins: readonly AnyPlugin[],
): readonly string[] {
  if (url === undefined) return [];
  const place = `${plugin}/${name}`;
  return snippets.filter(({ lang }) => !NOT_CODE.includes(lang)).flatMap(({ title }) => [
    `  ${shownPlace(place, plugins)}  ${title}`,
    `        in code: see ${PROGRAM} providers ${place}`,
  ]);
}

function endpointOf(url: string | undefined): Endpoint | undefined {
  if (url === undefined) return undefined;
  const { hostname, port } = new URL(url);
  return { hostname: hostname.replace(/^\[|\]$/g, ""), port: Number(port), url };
}
