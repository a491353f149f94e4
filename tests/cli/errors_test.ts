import { assertEquals } from "@std/assert";
import { runToEnd } from "./console.ts";

interface Row {
  readonly args: readonly string[];
  /** Contents of `FILE` in the arguments, `x.toml` in the messages. */
  readonly toml?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Lines of standard error without the prefix "Error". */
  readonly errors: readonly string[];
}

const ROWS: readonly Row[] = [
  {
    args: ["sreve"],
    errors: [
      'Cannot run "sreve": unknown command; did you mean serve? Valid commands are serve, ' +
      "mail, files, s3, snmp, as2, providers, openapi, ca, demo, ready, doctor, snapshot, diff, check, fault, export, import, report, mcp, completions, version, help",
    ],
  },
  {
    args: ["--ui-port=1", "serve"],
    errors: [
      "Cannot use --ui-port before a command: write standin serve first, or see standin help",
    ],
  },
  {
    args: ["help", "bogus"],
    errors: [
      'Cannot run "bogus": unknown command; valid commands are serve, mail, files, s3, ' +
      "snmp, as2, providers, openapi, ca, demo, ready, doctor, snapshot, diff, check, fault, export, import, report, mcp, completions, version, help",
    ],
  },
  { args: ["help", "serve", "mail"], errors: ['Cannot show help on "mail": name one command'] },
  {
    args: ["serve", "stray"],
    errors: [
      'Cannot use "stray": the command takes no such argument; values of flags are written ' +
      "--flag value or --flag=value",
    ],
  },
  {
    args: ["mail", "stray"],
    errors: [
      'Cannot use "stray": the command takes no such argument; values of flags are written ' +
      "--flag value or --flag=value",
    ],
  },
  {
    args: ["version", "now"],
    errors: [
      'Cannot use "now": the command takes no such argument; values of flags are written ' +
      "--flag value or --flag=value",
    ],
  },
  {
    args: ["providers", "mail", "smtp"],
    errors: ['Cannot use "smtp": the command takes at most 1 such argument'],
  },
  { args: ["serve", "--ui-port"], errors: ["Cannot read --ui-port: expected <port> after it"] },
  {
    args: ["serve", "--ui-port", "-1"],
    errors: [
      "Cannot read --ui-port: expected <port>, found the beginning of a flag; a value that " +
      'starts with "-" is written --ui-port=-1',
    ],
  },
  {
    args: ["serve", "--ui-port=-1"],
    errors: ['Cannot read --ui-port "-1": expected an integer from 0 to 65535'],
  },
  {
    args: ["serve", "--ui-port", "70000"],
    errors: ['Cannot read --ui-port "70000": expected an integer from 0 to 65535'],
  },
  {
    args: ["serve", "--ui-port="],
    errors: ['Cannot read --ui-port "": expected an integer from 0 to 65535'],
  },
  {
    args: ["serve", "--ui-port", "1", "--ui-port", "2"],
    errors: ["Cannot use --ui-port more than once: give it one value"],
  },
  {
    args: ["serve", "--uiport", "1"],
    errors: [
      "Cannot use --uiport: unknown flag; did you mean --ui-port? All valid flags are " +
      "listed by standin help serve",
    ],
  },
  {
    args: ["serve", "--enabled-providers", "mail2"],
    errors: [
      "Cannot use --enabled-providers: it belongs to the commands of one plugin, such as " +
      "standin mail; in a configuration file, providers have the key enabled",
    ],
  },
  {
    args: ["serve", "--in-port", "1"],
    errors: ["Cannot use --in-port: the flag is named --ingress-port on this command"],
  },
  {
    args: ["mail", "--ingress-port", "1"],
    errors: ["Cannot use --ingress-port: the flag is named --in-port on this command"],
  },
  {
    args: ["mail", "--config", "x.toml"],
    errors: [
      'Cannot use --config: "mail" reads no configuration file; use standin serve --config FILE',
    ],
  },
  {
    args: ["mail", "-c", "x.toml"],
    errors: ['Cannot use -c: "mail" reads no configuration file; use standin serve --config FILE'],
  },
  {
    args: ["mail", "--ftp-port", "1"],
    errors: ["Cannot use --ftp-port: it belongs to files; use standin files or standin serve"],
  },
  {
    args: ["serve", "--smtp-read-timeout", "5"],
    errors: [
      "Cannot use --smtp-read-timeout: it can only be set in the file: " +
      "[plugins.mail.providers.smtp] read_timeout",
    ],
  },
  {
    args: ["serve", "--ingress-max-body", "5"],
    errors: ["Cannot use --ingress-max-body: it can only be set in the file: [ingress] max_body"],
  },
  {
    args: ["serve", "--log-level", "loud"],
    errors: ['Cannot read --log-level "loud": expected one of debug, info, warn, error'],
  },
  { args: ["serve", "--h2c=maybe"], errors: ['Cannot read --h2c "maybe": expected true or false'] },
  {
    args: ["serve", "--h2c", "false"],
    errors: ['Cannot use "false": the command takes no such argument; write --h2c=false'],
  },
  { args: ["serve", "--no-h2c"], errors: ["Cannot use --no-h2c: unknown flag; write --h2c=false"] },
  {
    args: ["serve", "--host", "http://example"],
    errors: [
      'Cannot read --host "http://example": expected an IP address or host name without ' +
      "port, such as 127.0.0.1, localhost or ::",
    ],
  },
  {
    args: ["serve", "--bind", "127.0.0.1:80"],
    errors: [
      'Cannot read --bind "127.0.0.1:80": expected an IP address or host name without ' +
      "port, such as 127.0.0.1, localhost or ::",
    ],
  },
  {
    args: ["mail", "--enabled-providers", "bogus"],
    errors: ['unknown mail provider "bogus": valid providers are mail1, smtp'],
  },
  {
    args: ["mail", "--enabled-providers", "mail1", "--smtp-port", "2525"],
    errors: [
      'mail: flags were given for provider "smtp", but --enabled-providers only enables mail1',
    ],
  },
  {
    args: ["files", "--enabled-providers", "ftp", "--sftp-port", "2525"],
    errors: [
      'files: flags were given for provider "sftp", but --enabled-providers only enables ftp',
    ],
  },
  {
    args: ["files", "--enabled-providers="],
    errors: ["Cannot enable no files provider at all: valid providers are ftp, sftp"],
  },
  {
    args: ["providers", "bogus"],
    errors: ['unknown plugin "bogus": valid plugins are mail, files, s3, snmp, as2'],
  },
  {
    args: ["providers", "mail/bogus"],
    errors: ['unknown mail provider "bogus": valid providers are mail1, smtp'],
  },
  {
    args: ["providers", "mail", "-c", "FILE"],
    toml: "[plugins.mail]\nenabled = false\n",
    errors: ['Cannot describe plugin "mail": the configuration disables it'],
  },
  {
    args: ["providers", "mail/smtp", "-c", "FILE"],
    toml: "[plugins.mail.providers.smtp]\nenabled = false\n",
    errors: ['Cannot describe mail provider "smtp": the configuration disables it'],
  },
  {
    args: ["providers", "--json=perhaps"],
    errors: ['Cannot read --json "perhaps": expected true or false'],
  },
  {
    args: ["openapi", "bogus"],
    errors: ['unknown plugin "bogus": valid plugins are mail, files, s3, as2'],
  },
  {
    args: ["openapi", "snmp"],
    errors: [
      'Cannot describe the API of "snmp": it has no routes, standin openapi ' +
      "describes the events API; plugins with routes are mail, files, s3, as2",
    ],
  },
  {
    args: ["openapi", "--config", "x"],
    errors: ["Cannot use --config: unknown flag; valid flags are --help"],
  },
  {
    args: ["serve"],
    env: { "SERVICE_SMTP_PORT": "many" },
    errors: ['Cannot read SERVICE_SMTP_PORT "many": expected an integer from 0 to 65535'],
  },
  {
    args: ["serve"],
    env: { "SERVICE_H2C": "perhaps" },
    errors: ['Cannot read SERVICE_H2C "perhaps": expected true or false'],
  },
  {
    args: ["serve"],
    env: { "SERVICE_SMTP_PORT": "2121" },
    errors: [
      "Cannot listen on tcp port 2121 twice, for smtp (SERVICE_SMTP_PORT) and ftp (its " +
      "default): choose another with --smtp-port or --ftp-port; 0 takes any free port",
    ],
  },
  {
    args: ["serve", "--smtp-port", "8822"],
    errors: [
      "Cannot listen on tcp port 8822 twice, for ingress (its default) and smtp " +
      "(--smtp-port): choose another with --ingress-port or --smtp-port; 0 takes any free " +
      "port",
    ],
  },
  {
    args: ["mail", "--smtp-port", "8822"],
    errors: [
      "Cannot listen on tcp port 8822 twice, for ingress (its default) and smtp " +
      "(--smtp-port): choose another with --in-port or --smtp-port; 0 takes any free port",
    ],
  },
  {
    args: ["snmp", "--in-port", "8822"],
    errors: [
      "Cannot use --in-port: no HTTP provider that shares the ingress runs; valid ports are " +
      "--ui-port, --trap-port",
    ],
  },
  {
    args: ["mail", "--in-port", "1025"],
    errors: [
      "Cannot listen on tcp port 1025 twice, for ingress (--in-port) and smtp (its " +
      "default): choose another with --in-port or --smtp-port; 0 takes any free port",
    ],
  },
  {
    args: ["serve", "--persist", "~/data"],
    errors: [
      'Cannot read --persist "~/data": the home folder is not known; expected a path without ~',
    ],
  },
  {
    args: ["serve", "-c", "absent.toml"],
    errors: ['Cannot read configuration file "absent.toml": the file does not exist'],
  },
  { args: ["serve", "-c", "/"], errors: ['Cannot read configuration file "/": it is a folder'] },
  { args: ["serve", "-c", ""], errors: ["Cannot use --config: expected the path of a file"] },
  {
    args: ["serve", "-c", "a", "-c", "b"],
    errors: ["Cannot use --config more than once: give one file"],
  },
  {
    args: ["serve", "-c", "FILE"],
    toml: "[ui\nport = 1\n",
    errors: ['Cannot read "x.toml", line 1, column 4: illegal character in key'],
  },
  {
    args: ["serve", "-c", "FILE"],
    toml: 'bnid = "x"\n',
    errors: [
      'Cannot use bnid in "x.toml": unknown key "bnid"; did you mean bind? Valid keys are ' +
      "bind, host, log_level, log_format, instance, default_enabled, faults, ui, api, ingress, namespaces, callbacks, otel, repeat, storage, plugins",
    ],
  },
  {
    args: ["serve", "-c", "FILE"],
    toml: "[iu]\nport = 1\n",
    errors: [
      'Cannot use [iu] in "x.toml": unknown table "iu"; did you mean ui? Valid keys are ' +
      "bind, host, log_level, log_format, instance, default_enabled, faults, ui, api, ingress, namespaces, callbacks, otel, repeat, storage, plugins",
    ],
  },
  {
    args: ["serve", "-c", "FILE"],
    toml: "[ui]\nprot = 1\n",
    errors: [
      'Cannot use [ui] prot in "x.toml": unknown key "prot"; did you mean port? Valid keys ' +
      "are port, bind, h2c",
    ],
  },
  {
    args: ["serve", "-c", "FILE"],
    toml: '[ui]\nport = "8811"\n',
    errors: ['Cannot read [ui] port = "8811" in "x.toml": expected an integer from 0 to 65535'],
  },
  {
    args: ["serve", "-c", "FILE"],
    toml: "ui = 8811\n",
    errors: ['Cannot use ui in "x.toml": expected a table, written [ui]'],
  },
  {
    args: ["serve", "-c", "FILE"],
    toml: "[[ui]]\nport = 8811\n",
    errors: ['Cannot use ui in "x.toml": expected a table, written [ui]'],
  },
  {
    args: ["serve", "-c", "FILE"],
    toml: "[plugins.mial]\n",
    errors: [
      'Cannot use [plugins.mial] in "x.toml": unknown plugin "mial"; did you mean mail? ' +
      "Valid plugins are mail, files, s3, snmp, as2",
    ],
  },
  {
    args: ["serve", "-c", "FILE"],
    toml: "[plugins.mail.providers.smpt]\n",
    errors: [
      'Cannot use [plugins.mail.providers.smpt] in "x.toml": unknown mail provider "smpt"; ' +
      "did you mean smtp? Valid providers are mail1, smtp",
    ],
  },
  {
    args: ["serve", "-c", "FILE"],
    toml: "[plugins.mail.providers.mail1]\nport = 8080\n",
    errors: [
      'Cannot use [plugins.mail.providers.mail1] port in "x.toml": "mail1" has no listener ' +
      "of its own, it shares the ingress with every HTTP provider; set [ingress] port or " +
      "--ingress-port instead",
    ],
  },
  {
    args: ["serve", "-c", "FILE"],
    toml: '[plugins.mail.providers.mail1]\nbind = "::1"\n',
    errors: [
      'Cannot use [plugins.mail.providers.mail1] bind in "x.toml": "mail1" has no listener ' +
      "of its own, it shares the ingress with every HTTP provider; set [ingress] bind " +
      "instead",
    ],
  },
  {
    args: ["serve", "-c", "FILE"],
    toml: "[plugins.mail.providers.smtp]\nread_timeout = 0\n",
    errors: [
      'Cannot read [plugins.mail.providers.smtp] read_timeout = 0 in "x.toml": expected an ' +
      "integer from 1 to 86400",
    ],
  },
  {
    args: ["serve", "-c", "FILE"],
    toml: "[plugins.mail.providers.smtp]\nread_timeout = 2026-01-01\n",
    errors: [
      'Cannot read [plugins.mail.providers.smtp] read_timeout = "2026-01-01" in "x.toml": ' +
      "expected an integer from 1 to 86400",
    ],
  },
  {
    args: ["serve", "-c", "FILE"],
    toml: "[plugins.mail.providers.smtp]\npassword = 12345\n",
    errors: [
      'Cannot read [plugins.mail.providers.smtp] password in "x.toml": expected text in quotes',
    ],
  },
  {
    args: ["serve", "-c", "FILE"],
    toml: '[plugins.mail]\nenabled = "yes"\n',
    errors: ['Cannot read [plugins.mail] enabled = "yes" in "x.toml": expected true or false'],
  },
  {
    args: ["serve", "-c", "FILE"],
    toml: '[plugins.s3.providers.http]\nbuckets = "a,b"\n',
    errors: [
      'Cannot read [plugins.s3.providers.http] buckets = "a,b" in "x.toml": expected a ' +
      'list of strings such as ["a", "b"]',
    ],
  },
  {
    args: ["serve", "-c", "FILE"],
    toml: '[storage]\nbackend = "filesystem"\n',
    errors: [
      'Cannot use [storage] backend in "x.toml": "filesystem" needs a folder; set ' +
      "[storage] path, or start with --persist",
    ],
  },
  {
    args: ["serve", "-c", "FILE"],
    toml: '[storage]\nbackend = "disk"\nblob_limit = "lots"\ncapacity = 0\n',
    errors: [
      'Cannot read [storage] backend = "disk" in "x.toml": expected one of memory, filesystem',
      'Cannot read [storage] blob_limit = "lots" in "x.toml": expected a number of bytes ' +
      "such as 1048576, 256MB or 64MiB",
      'Cannot read [storage] capacity = 0 in "x.toml": expected an integer of at least 1',
    ],
  },
  {
    args: ["serve", "-c", "FILE"],
    toml: "[storage.plugin_capacity]\nmial = 5\n",
    errors: [
      'Cannot use [storage.plugin_capacity] mial in "x.toml": unknown plugin "mial"; did ' +
      "you mean mail? Valid plugins are mail, files, s3, snmp, as2",
    ],
  },
  {
    args: ["serve", "-c", "FILE"],
    toml: "[storage.plugins.mial]\n",
    errors: [
      'Cannot use [storage.plugins.mial] in "x.toml": unknown plugin "mial"; did you mean ' +
      "mail? Valid plugins are mail, files, s3, snmp, as2",
    ],
  },
  {
    args: ["serve", "-c", "FILE"],
    toml: '[storage.plugins.s3]\nbackend = "filesystem"\n',
    errors: [
      'Cannot use [storage.plugins.s3] backend in "x.toml": "filesystem" needs a folder; ' +
      "set [storage] path, or start with --persist",
    ],
  },
  {
    args: ["serve", "-c", "FILE"],
    toml: '[api]\nbind = "::1"\n',
    errors: [
      'Cannot use [api] bind in "x.toml": the read-back API shares the listener of the UI ' +
      "on 127.0.0.1; set [api] port to give it its own port, or remove its bind",
    ],
  },
  {
    args: ["serve", "-c", "FILE", "--smtp-port", "2525"],
    toml: "[plugins.mail.providers.smtp]\nenabled = false\n",
    errors: ['mail: flags were given for provider "smtp", but the configuration file disables it'],
  },
  {
    args: ["serve", "-c", "FILE"],
    toml: "[plugins.mail.providers.smtp]\nport = 2121\n",
    errors: [
      "Cannot listen on tcp port 2121 twice, for smtp ([plugins.mail.providers.smtp] port " +
      'in "x.toml") and ftp (its default): choose another with --smtp-port or --ftp-port; ' +
      "0 takes any free port",
    ],
  },
  {
    args: ["serve", "-c", "FILE"],
    toml: 'bind = "0.0.0.0"\n[plugins.mail.providers.smtp]\ntls_port = 9000\n',
    errors: [
      "Cannot listen on tcp port 9000 twice, for smtp ([plugins.mail.providers.smtp] " +
      'tls_port in "x.toml") and s3 (its default): choose another with ' +
      "[plugins.mail.providers.smtp] tls_port or --s3-port; 0 takes any free port",
    ],
  },
  {
    args: ["serve", "-c", "FILE", "--log-level=loud"],
    toml: "[ui]\nport = -1\n",
    env: { "SERVICE_HOST": "a b" },
    errors: [
      'Cannot read [ui] port = -1 in "x.toml": expected an integer from 0 to 65535',
      'Cannot read SERVICE_HOST "a b": expected an IP address or host name without port, ' +
      "such as 127.0.0.1, localhost or ::",
      'Cannot read --log-level "loud": expected one of debug, info, warn, error',
    ],
  },
];

for (const row of ROWS) {
  const given = [...row.args, row.toml ?? "", ...Object.values(row.env ?? {})];
  Deno.test(`refused: ${given.join(" ").replaceAll("\n", " ").trim()}`, async () => {
    const folder = await Deno.makeTempDir();
    try {
      const file = `${folder}/x.toml`;
      await Deno.writeTextFile(file, row.toml ?? "");
      const args = row.args.map((arg) => arg === "FILE" ? file : arg);
      const said = await runToEnd(args, row.env === undefined ? {} : { env: row.env });
      assertEquals(
        said.stderr.replaceAll(`${folder}/`, ""),
        row.errors.map((error) => `Error: ${error}\n`).join(""),
      );
      assertEquals(said.stdout, "");
      assertEquals(said.code, 1);
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  });
}
