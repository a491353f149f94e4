import { describeApi } from "../api/openapi.ts";
import { compact } from "../compact.ts";
import { ConfigError } from "../errors.ts";
import type { CommandLine } from "../options/flags.ts";
import { type HelpFlag, type HelpGroup, settingGroups } from "../options/help.ts";
import { quote } from "../options/given.ts";
import { list } from "../options/spec.ts";
import { type OptionTree, optionTree } from "../options/tree.ts";
import type { AnyPlugin } from "../plugin.ts";
import { shownProvider } from "../provider_names.ts";
import {
  type Command,
  type CommandContext,
  PROGRAM,
  SHELL_NAMES,
  versionLine,
} from "./base/command.ts";
import { CONFIG, HELP, plain, settingsOf, switchOf } from "./base/settings.ts";
import { printCa } from "./ca.ts";
import { doctorCommand } from "./doctor/command.ts";
import {
  checkCommand,
  demoCommand,
  diffCommand,
  exportCommand,
  faultCommand,
  importCommand,
  readyCommand,
  reportCommand,
  snapshotCommand,
} from "./instance/commands.ts";
import { mcpCommand } from "./mcp/command.ts";
import { printProviders } from "./providers.ts";
import { printPermissions, serve } from "./serve.ts";

const ENABLED: HelpFlag = {
  name: "enabled-providers",
  value: "a,b,c",
  about: "Run only these providers: ids such as mail2, or vendors such as sendgrid",
};
const PERMISSIONS: HelpFlag = {
  name: "permissions",
  about: "Print the flags of deno run that these settings need, without starting",
};
const PEM_FLAG: HelpFlag = { name: "pem", about: "Print only the certificate" };
const FREE_PORTS: HelpFlag = {
  name: "free-ports",
  about: "Give every listener a free port, except those whose port is set",
};
const STOP_ON_EOF: HelpFlag = {
  name: "stop-on-eof",
  about: "Stop when standard input ends, as it does when the process that started this one ends",
};
/** Flags of every command that starts a service, besides its settings. */
const SERVER_FLAGS = [FREE_PORTS, STOP_ON_EOF, PERMISSIONS];
const JSON_FLAG: HelpFlag = { name: "json", about: "Print JSON" };

/** Commands of a program with these plugins, in the order of the help. */
export function commandsOf(plugins: readonly AnyPlugin[]): Command[] {
  const tree = optionTree(plugins);
  return [
    serveCommand(tree),
    ...plugins.map((plugin) => shortcut(plugin, tree)),
    providersCommand(plugins),
    openApiCommand(plugins),
    caCommand(tree),
    demoCommand(plugins, tree),
    readyCommand(tree),
    doctorCommand(tree),
    snapshotCommand(tree),
    diffCommand(tree),
    checkCommand(tree),
    faultCommand(tree),
    exportCommand(tree),
    importCommand(tree),
    reportCommand(tree),
    mcpCommand(tree),
    completionsCommand(),
    {
      ...plain("version", "Print the version"),
      run(_line, { io }) {
        io.stdout(versionLine());
        return 0;
      },
    },
  ];
}

const VARIABLES = "Every flag of a setting may also be given as an environment variable: " +
  "--log-level is SERVICE_LOG_LEVEL. A flag beats the variable, the variable beats the file. " +
  "A flag without a value is true; =false turns it off.";

function serveCommand(tree: OptionTree): Command {
  return {
    name: "serve",
    usage: "[flags]",
    about: "Start all enabled plugins and providers",
    details: [],
    groups: [{ title: "Flags", flags: [CONFIG, ...SERVER_FLAGS, HELP] }, ...settingGroups(tree)],
    notes: [VARIABLES, "Timeouts, limits and connection caps can only be set in the file."],
    maxWords: 0,
    logs: true,
    explain(flag) {
      if (flag === ENABLED.name) {
        return `it belongs to the commands of one plugin, such as ${PROGRAM} mail; ` +
          "in a configuration file, providers have the key enabled";
      }
      return fileOnly(tree, flag) ?? otherCommand(flag, "in-port", "--ingress-port");
    },
    run: (line, context) => runServer(line, context, {}),
  };
}

function shortcut(plugin: AnyPlugin, tree: OptionTree): Command {
  const providers = plugin.providers.map(shownProvider).join(", ");
  return {
    name: plugin.id,
    usage: "[flags]",
    about: `Run only ${plugin.title}: ${providers}`,
    details: [plugin.about],
    groups: [
      { title: "Flags", flags: [ENABLED, ...SERVER_FLAGS, HELP] },
      ...settingGroups(tree, plugin.id),
    ],
    notes: [VARIABLES, "--in-port is SERVICE_INGRESS_PORT."],
    maxWords: 0,
    logs: true,
    explain(flag) {
      if (flag === "config" || flag === "c") {
        return `"${plugin.id}" reads no configuration file; use ${PROGRAM} serve --config FILE`;
      }
      const owner = tree.byFlag.get(flag)?.plugin;
      if (owner !== undefined && owner !== plugin.id) {
        return `it belongs to ${owner}; use ${PROGRAM} ${owner} or ${PROGRAM} serve`;
      }
      return fileOnly(tree, flag) ?? otherCommand(flag, "ingress-port", "--in-port");
    },
    run: (line, context) => runServer(line, context, { only: plugin.id }),
  };
}

/** Explains that a setting such as `--smtp-read-timeout` exists only in the file. */
function fileOnly(tree: OptionTree, flag: string): string | undefined {
  for (const setting of tree.byPath.values()) {
    if (setting.flag !== undefined || setting.spec.only !== "file") continue;
    const owner = setting.provider ?? setting.plugin ?? setting.table;
    if (flag !== `${owner}-${setting.key}`.replaceAll("_", "-")) continue;
    const table = setting.table === "" ? "" : `[${setting.table}] `;
    return `it can only be set in the file: ${table}${setting.key}`;
  }
  return undefined;
}

function otherCommand(flag: string, foreign: string, own: string): string | undefined {
  return flag === foreign ? `the flag is named ${own} on this command` : undefined;
}

async function runServer(
  line: CommandLine,
  context: CommandContext,
  { only }: { only?: string },
): Promise<number> {
  const enabled = line.texts[ENABLED.name];
  const enabledProviders = enabled && list(ENABLED.about).parse(enabled.join(","));
  const portsZero = switchOf(line, FREE_PORTS);
  const settings = await settingsOf(line, context, {
    ...compact({ only, enabledProviders }),
    portsZero,
  });
  if (switchOf(line, PERMISSIONS)) return printPermissions(settings, context);
  return await serve(settings, context, { stopOnEof: switchOf(line, STOP_ON_EOF) });
}

function providersCommand(plugins: readonly AnyPlugin[]): Command {
  return {
    ...plain("providers", "List enabled providers with their addresses and code to paste"),
    usage: "[plugin[/provider]] [flags]",
    completes: plugins.flatMap(({ id, providers }) => [
      id,
      ...providers.map((provider) => `${id}/${provider.id}`),
    ]),
    groups: [{ title: "Flags", flags: [JSON_FLAG, CONFIG, HELP] }],
    notes: ["Starts nothing. The addresses are those of the configuration."],
    maxWords: 1,
    async run(line, context) {
      const settings = await settingsOf(line, context);
      const json = switchOf(line, JSON_FLAG);
      return printProviders(settings, context, { name: line.words[0], json });
    },
  };
}

function openApiCommand(plugins: readonly AnyPlugin[]): Command {
  return {
    ...plain("openapi", "Print the OpenAPI description of the read-back API"),
    usage: "[plugin]",
    completes: plugins.filter(({ routes }) => routes.length > 0).map(({ id }) => id),
    details: [
      "Describes the events API, or the API of one plugin, including plugins that the configuration disables.",
    ],
    maxWords: 1,
    run(line, { io, plugins }) {
      const [name] = line.words;
      const description = describeApi(plugins, name);
      if (description === undefined) throw new ConfigError(noApi(plugins, name ?? ""));
      io.stdout(JSON.stringify(description, null, 2));
      return 0;
    },
  };
}

function completionsCommand(): Command {
  return {
    ...plain("completions", `Print completions for a shell: ${SHELL_NAMES.join(", ")}`),
    usage: "<shell>",
    details: [
      `For the current bash: source <(${PROGRAM} completions bash). For every new one: ` +
      `${PROGRAM} completions bash > ~/.local/share/bash-completion/completions/${PROGRAM}`,
    ],
    maxWords: 1,
    completes: SHELL_NAMES,
    async run(line, { io, plugins }) {
      const { completionsFor } = await import("./completions/completions.ts");
      io.stdout(completionsFor(line.words[0], commandsOf(plugins)).trimEnd());
      return 0;
    },
  };
}

/** Settings that select the CA and appear in addresses. */
const CA_SETTINGS: readonly string[] = ["tls-dir", "host", "ingress-port"];

function caCommand(tree: OptionTree): Command {
  const settings = flagsOf(settingGroups(tree)).filter(({ name }) => CA_SETTINGS.includes(name));
  return {
    ...plain("ca", "Show the CA that clients must trust, and how to make them trust it"),
    usage: "[flags]",
    details: [
      "The CA and its certificate are generated when first needed, by this command or by a running program, " +
      "and only your user can read them. A running program also serves the CA at /api/v1/tls/ca.pem.",
    ],
    groups: [{ title: "Flags", flags: [PEM_FLAG, CONFIG, ...settings, HELP] }],
    async run(line, context) {
      const settings = await settingsOf(line, context);
      return await printCa(settings, context, { pem: switchOf(line, PEM_FLAG) });
    },
  };
}

function noApi(plugins: readonly AnyPlugin[], name: string): string {
  const valid = plugins.filter(({ routes }) => routes.length > 0).map(({ id }) => id).join(", ");
  const known = plugins.some(({ id }) => id === name);
  return known
    ? `Cannot describe the API of ${quote(name)}: it has no routes, ` +
      `${PROGRAM} openapi describes the events API; plugins with routes are ${valid}`
    : `unknown plugin ${quote(name)}: valid plugins are ${valid}`;
}

/** All flags of a command. */
export function flagsOf(groups: readonly HelpGroup[]): readonly HelpFlag[] {
  return groups.flatMap(({ flags }) => flags);
}
