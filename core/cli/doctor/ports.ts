import type { Readiness } from "../../api/ready.ts";
import { accepts, probePort } from "../../net/probe.ts";
import { formatAddress, type HostPort } from "../../net/address.ts";
import type { Settings } from "../../options/settings.ts";
import { isListener, needsIngress, type OptionTree } from "../../options/tree.ts";
import type { AnyPlugin } from "../../plugin.ts";
import { PROGRAM } from "../base/command.ts";
import type { Finding } from "./finding.ts";
import { holderOf, isUdp } from "./port_holder.ts";

/** A configured listener. */
interface Wanted {
  /** Name in `/api/v1/ready`. */
  readonly name: string;
  readonly network: "tcp" | "udp";
  readonly hostname: string;
  readonly port: number;
  /** Flag, or key of the file, that sets its port. */
  readonly setting: string;
}

/** Configured listeners in the order of binding, without those on any free port. */
function wantedListeners(
  plugins: readonly AnyPlugin[],
  settings: Settings,
  tree: OptionTree,
): readonly Wanted[] {
  const { ui, api, ingress } = settings.core;
  const at = (
    path: string,
    about: { name: string; network?: "tcp" | "udp"; hostname: string; port: unknown },
  ): readonly Wanted[] => {
    const { port } = about;
    if (typeof port !== "number" || port === 0) return [];
    const flag = tree.byPath.get(path)?.flag;
    const setting = flag === undefined ? path : `--${flag}`;
    return [{ network: "tcp", ...about, port, setting }];
  };
  const own = plugins.flatMap((plugin) =>
    plugin.providers.filter(isListener).flatMap((provider) => {
      const given = settings.plugins.get(plugin.id)?.providers.get(provider.id);
      if (given?.enabled !== true) return [];
      const path = `plugins.${plugin.id}.providers.${provider.id}`;
      return at(`${path}.${provider.portOption}`, {
        name: `${plugin.id}/${provider.id}`,
        network: provider.kind === "udp" ? "udp" : "tcp",
        hostname: given.bind,
        port: given.values[provider.portOption],
      });
    })
  );
  const separate = api.port !== undefined && api.port !== ui.port;
  const shared = ui.port === ingress.port && ui.bind === ingress.bind;
  const unheard = shared || !needsIngress(plugins, settings);
  return [
    ...at("ui.port", { name: "ui", hostname: ui.bind, port: ui.port }),
    ...(separate ? at("api.port", { name: "api", hostname: api.bind, port: api.port }) : []),
    ...(unheard
      ? []
      : at("ingress.port", { name: "ingress", hostname: ingress.bind, port: ingress.port })),
    ...own,
  ];
}

/** Checks every configured port: held by the instance, free, or taken by another program. */
export async function checkPorts(
  plugins: readonly AnyPlugin[],
  { settings, tree, live }: {
    settings: Settings;
    tree: OptionTree;
    live: Readiness | undefined;
  },
): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  for (const wanted of wantedListeners(plugins, settings, tree)) {
    findings.push(await checkPort(wanted, live));
  }
  if (findings.some(({ mark }) => mark === "note")) {
    findings.push({
      mark: "note",
      text:
        `If the ports differ, run ${PROGRAM} doctor with the file and the flags of the instance`,
    });
  }
  return findings;
}

async function checkPort(wanted: Wanted, live: Readiness | undefined): Promise<Finding> {
  const place = `${wanted.name}: ${wanted.network} ${formatAddress(wanted)}`;
  const there = live?.listeners.find(({ name }) => name === wanted.name);
  const port = there === undefined ? undefined : Number(new URL(there.url).port);
  if (port === wanted.port) return { mark: "ok", text: `${place} belongs to the instance` };
  if (port !== undefined) {
    return {
      mark: "note",
      text:
        `${wanted.name}: the instance listens on port ${port}, these settings say ${wanted.port}`,
      advice: `Run ${PROGRAM} doctor with the file and the flags of the instance`,
    };
  }
  switch (await probePort(wanted.network, wanted)) {
    case "free":
      return { mark: "ok", text: `${place} is free` };
    case "taken":
      return await taken(wanted, { place, live });
    case "forbidden":
      return {
        mark: "bad",
        text: `${place} needs more rights than this user has`,
        advice: `Choose a port from 1024 up with ${wanted.setting}`,
      };
    case "elsewhere":
      return {
        mark: "bad",
        text: `${place} is not an address of this machine`,
        advice: "Choose 127.0.0.1, or 0.0.0.0 for every address, with --bind",
      };
  }
}

async function taken(
  wanted: Wanted,
  { place, live }: { readonly place: string; readonly live: Readiness | undefined },
): Promise<Finding> {
  return {
    mark: "bad",
    text: `${place} is taken by ${await holderOf(wanted, live)}`,
    advice: `Choose another with ${wanted.setting}, or find the program: ${finder(wanted)}`,
  };
}

/** Returns the command that names the process, which the program itself may not do. */
function finder({ network, port }: Wanted): string {
  switch (Deno.build.os) {
    case "windows":
      return `netstat -ano -p ${network} | findstr :${port}`;
    case "linux":
      return `ss -lp${network === "tcp" ? "t" : "u"} 'sport = :${port}'`;
    default:
      return `lsof -nP -i ${network}:${port}`;
  }
}

/** Checks that clients on this machine reach the listeners by their printed names. */
export async function checkReach(live: Readiness): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  // UI and API usually share one listener.
  const distinct = live.listeners.filter(({ url }, at) =>
    live.listeners.findIndex((other) => other.url === url) === at
  );
  for (const { name, url } of distinct) {
    const where = toHostPort(url);
    if (isUdp(url)) {
      findings.push({
        mark: "note",
        text: `${name}: ${url} uses UDP, so there are no connections to check`,
      });
    } else if (await accepts(where)) {
      findings.push({ mark: "ok", text: `${name}: ${url} accepts connections` });
    } else {
      findings.push({
        mark: "bad",
        text: `${name}: ${url} does not accept connections from here`,
        advice:
          `Make the name ${where.hostname} resolve to the instance, or choose another with --host`,
      });
    }
  }
  return findings;
}

function toHostPort(url: string): HostPort {
  const { hostname, port } = new URL(url);
  return { hostname: hostname.replace(/^\[|\]$/g, ""), port: Number(port) };
}
