import { assert, assertEquals, assertThrows } from "@std/assert";
import { fc } from "../../tests/support/fast_check.ts";
import { fuzzed } from "../../tests/support/fuzz.ts";
import { PLAIN_PLUGINS } from "../../tests/support/plain_plugins.ts";
import { ConfigError } from "../errors.ts";
import { resolveSettings, type SettingSources } from "./resolve.ts";
import type { ProviderSettings, Settings } from "./settings.ts";
import { optionTree } from "./tree.ts";

const resolve = (sources: SettingSources = {}): Settings => resolveSettings(PLAIN_PLUGINS, sources);

/** Port 0 everywhere, so that unrelated tests cannot clash. */
const quiet = (sources: SettingSources = {}): Settings => resolve({ portsZero: true, ...sources });

function provider(settings: Settings, name: string): ProviderSettings {
  const [plugin = "", id = ""] = name.split("/");
  const found = settings.plugins.get(plugin)?.providers.get(id);
  if (found === undefined) throw new Error(`No provider "${name}"`);
  return found;
}

function running(settings: Settings): string[] {
  return [...settings.plugins].flatMap(([plugin, { providers }]) =>
    [...providers].filter(([, { enabled }]) => enabled).map(([id]) => `${plugin}/${id}`)
  );
}

function problems(sources: SettingSources): readonly string[] {
  return assertThrows(() => resolve(sources), ConfigError).problems;
}

const smtp = (keys: object): Record<string, unknown> => ({
  plugins: { mail: { providers: { smtp: keys } } },
});

Deno.test("without sources the defaults apply", () => {
  const { core, warnings } = resolve();
  assertEquals(core.root, {
    bind: "127.0.0.1",
    host: "localhost",
    log_level: "info",
    log_format: "text",
    instance: undefined,
    default_enabled: true,
    faults: [],
  });
  assertEquals(core.ui, { port: 8811, bind: "127.0.0.1", h2c: false });
  assertEquals(core.api, {
    port: undefined,
    bind: "127.0.0.1",
    token: undefined,
    cors_origins: [],
  });
  assertEquals(core.ingress.port, 8822);
  assertEquals(core.ingress.h2c, true);
  assertEquals(core.ingress.max_body, 67_108_864);
  assertEquals(core.ingress.rejected_capacity, 200);
  assertEquals(core.storage.capacity, 500);
  assertEquals(core.storage.blob_limit, 256_000_000);
  assertEquals(core.storage.raw_limit, 256_000_000);
  assertEquals(core.storage.memory_limit, 536_870_912);
  assertEquals(core.storage.backend, "memory");
  assertEquals(core.storage.plugin_capacity, {});
  assertEquals(warnings, []);
  assertEquals(running(resolve()).length, 7);
});

Deno.test("a flag beats the variable, the variable the program, the program the file, the file the default", () => {
  const port = (sources: SettingSources) => provider(resolve(sources), "mail/smtp").values["port"];
  const file = { path: "x.toml", tree: smtp({ port: 1 }) };
  const tree = smtp({ port: 2 });
  const env = (name: string) => name === "SERVICE_SMTP_PORT" ? "3" : undefined;
  const flags = { "smtp-port": ["4"] };
  assertEquals(port({}), 1025);
  assertEquals(port({ file }), 1);
  assertEquals(port({ file, tree }), 2);
  assertEquals(port({ file, tree, env }), 3);
  assertEquals(port({ file, tree, env, flags }), 4);
});

Deno.test("an empty variable counts as not set, but clears a list", () => {
  const env = (name: string) => name.startsWith("SERVICE_") ? "" : undefined;
  const tree = { bind: "::1", plugins: { s3: { providers: { http: { buckets: ["a"] } } } } };
  const settings = resolve({ env, tree });
  assertEquals(settings.core.root.bind, "::1");
  assertEquals(provider(settings, "s3/http").values["buckets"], []);
  assertEquals(provider(resolve({ tree }), "s3/http").values["buckets"], ["a"]);
});

Deno.test("a list may use repeated or comma-separated flags", () => {
  const { values } = provider(resolve({ flags: { "s3-buckets": ["a,b", "c"] } }), "s3/http");
  assertEquals(values["buckets"], ["a", "b", "c"]);
});

Deno.test("an empty string resets a setting of the file", () => {
  const tree = smtp({ username: "ada" });
  assertEquals(provider(resolve({ tree }), "mail/smtp").values["username"], "ada");
  const flags = { "smtp-username": [""] };
  assertEquals(provider(resolve({ tree, flags }), "mail/smtp").values["username"], undefined);
});

Deno.test("paths start in the folder of the file, those of flags in the working directory", () => {
  const key = (sources: SettingSources) =>
    provider(resolve(sources), "files/sftp").values["host_key_path"];
  const tree = { plugins: { files: { providers: { sftp: { host_key_path: "keys/host" } } } } };
  const file = { path: "/etc/standin/x.toml", tree };
  assertEquals(key({ file, configFolder: "/etc/standin" }), "/etc/standin/keys/host");
  assertEquals(key({ tree }), "keys/host");
  assertEquals(
    key({ flags: { "sftp-host-key": ["keys/host"] }, configFolder: "/etc" }),
    "keys/host",
  );
  const env = (name: string) => name === "HOME" ? "/home/ada" : undefined;
  assertEquals(key({ flags: { "sftp-host-key": ["~/host"] }, env }), "/home/ada/host");
});

Deno.test("every listener uses the top-level address unless it has its own", () => {
  const tree = {
    bind: "0.0.0.0",
    ui: { bind: "::1" },
    ...smtp({ bind: "10.0.0.1" }),
  };
  const fromFile = quiet({ tree });
  assertEquals(fromFile.core.ui.bind, "::1");
  assertEquals(fromFile.core.ingress.bind, "0.0.0.0");
  assertEquals(provider(fromFile, "mail/smtp").bind, "10.0.0.1");
  assertEquals(provider(fromFile, "files/ftp").bind, "0.0.0.0");
  assertEquals(provider(fromFile, "mail/mail1").bind, "0.0.0.0");
});

Deno.test("--bind replaces the top-level address and the core listeners' own, but not a provider's", () => {
  const tree = {
    bind: "0.0.0.0",
    ui: { bind: "::1" },
    ingress: { bind: "10.0.0.2" },
    api: { bind: "10.0.0.3", port: 5 },
    ...smtp({ bind: "10.0.0.1" }),
  };
  for (
    const source of [
      { flags: { bind: ["10.0.0.9"] } },
      { env: (name: string) => name === "SERVICE_BIND" ? "10.0.0.9" : undefined },
    ]
  ) {
    const { core, plugins } = quiet({ tree, ...source });
    for (const { bind } of [core.root, core.ui, core.api, core.ingress]) {
      assertEquals(bind, "10.0.0.9");
    }
    assertEquals(plugins.get("mail")?.providers.get("smtp")?.bind, "10.0.0.1");
    assertEquals(plugins.get("files")?.providers.get("ftp")?.bind, "10.0.0.9");
  }
});

Deno.test("default_enabled decides about plugins that are not mentioned", () => {
  const off = (plugins: object) => running(quiet({ tree: { default_enabled: false, plugins } }));
  assertEquals(off({}), []);
  assertEquals(off({ mail: { enabled: true } }), ["mail/mail1", "mail/smtp"]);
  assertEquals(off({ mail: { providers: { smtp: { enabled: true } } } }), ["mail/smtp"]);
  assertEquals(
    off({ mail: { enabled: true, providers: { smtp: { enabled: true } } } }),
    ["mail/smtp"],
  );
  assertEquals(
    off({ mail: { enabled: true, providers: { smtp: { enabled: false } } } }),
    ["mail/mail1"],
  );
  assertEquals(
    off({ mail: { enabled: false, providers: { smtp: { enabled: true } } } }),
    [],
  );
});

Deno.test("disabled plugins do not run, the others do", () => {
  const settings = quiet({
    tree: {
      plugins: { mail: { providers: { smtp: { enabled: false } } }, files: { enabled: false } },
    },
  });
  assertEquals(running(settings), ["mail/mail1", "s3/http", "snmp/trap", "as2/http"]);
  assertEquals(settings.plugins.get("files")?.enabled, false);
  assertEquals(settings.plugins.get("mail")?.enabled, true);
});

Deno.test("a single plugin runs with all of its providers, or those named", () => {
  assertEquals(running(quiet({ only: "files" })), ["files/ftp", "files/sftp"]);
  assertEquals(running(quiet({ only: "files", enabledProviders: ["sftp"] })), ["files/sftp"]);
  assertEquals(
    running(quiet({ enabledProviders: ["smtp", "as2/http"] })),
    ["mail/smtp", "as2/http"],
  );
});

Deno.test("the variables of other plugins are not read when one plugin runs", () => {
  const env = (name: string) => name === "SERVICE_SMTP_PORT" ? "none" : undefined;
  assertEquals(running(quiet({ only: "files", env })).length, 2);
  assertEquals(problems({ only: "mail", env }).length, 1);
});

Deno.test("ports that are not given can be any free port", () => {
  const settings = resolve({ portsZero: true, tree: smtp({ port: 2525 }) });
  assertEquals(settings.core.ui.port, 0);
  assertEquals(settings.core.ingress.port, 0);
  assertEquals(settings.core.api.port, undefined);
  assertEquals(provider(settings, "mail/smtp").values["port"], 2525);
  assertEquals(provider(settings, "mail/smtp").values["tls_port"], undefined);
  assertEquals(provider(settings, "files/ftp").values["port"], 0);
});

Deno.test("--persist keeps plugins on disk, each in its own folder", () => {
  for (
    const source of [
      { flags: { persist: ["data"] } },
      { env: (name: string) => name === "SERVICE_PERSIST" ? "data" : undefined },
      { tree: { storage: { backend: "filesystem", path: "data" } } },
    ]
  ) {
    const { storage } = resolve(source).core;
    assertEquals(storage.backend, "filesystem");
    assertEquals(storage.plugins["files"], { backend: "filesystem", folder: "data/files" });
    assertEquals(storage.plugins["s3"], { backend: "filesystem", folder: "data/s3" });
  }
});

Deno.test("a plugin's own storage beats the general one", () => {
  const { storage } = resolve({
    flags: { persist: ["data"] },
    tree: {
      storage: {
        plugins: { s3: { backend: "memory" }, files: { path: "elsewhere" } },
        plugin_capacity: { mail: 2000 },
      },
    },
  }).core;
  assertEquals(storage.plugins["s3"], { backend: "memory" });
  assertEquals(storage.plugins["files"], { backend: "filesystem", folder: "elsewhere/files" });
  assertEquals(storage.plugin_capacity, { mail: 2000 });
  const own = { backend: "filesystem", path: "only" };
  const single = resolve({ tree: { storage: { plugins: { s3: own } } } }).core.storage;
  assertEquals(single.backend, "memory");
  assertEquals(single.plugins["s3"], { backend: "filesystem", folder: "only/s3" });
});

Deno.test("settings without effect cause a warning", () => {
  const warnings = (sources: SettingSources) => quiet(sources).warnings;
  assertEquals(warnings({ flags: { persist: ["data"] } }), []);
  assertEquals(warnings({ only: "mail", flags: { persist: ["data"] } }), [
    "Storage on disk has no effect on mail: only files, s3 keep state; where events are kept is the setting [storage] events",
  ]);
  assertEquals(warnings({ tree: { storage: { path: "data" } } }), [
    '[storage] path has no effect: the backend is "memory"; set backend = "filesystem" to use it',
  ]);
  assertEquals(warnings({ tree: { storage: { plugins: { s3: { path: "data" } } } } }), [
    '[storage.plugins.s3] path has no effect: the backend is "memory"; ' +
    'set backend = "filesystem" to use it',
  ]);
  assertEquals(
    warnings({
      flags: { persist: ["data"] },
      tree: { storage: { plugins: { mail: { backend: "filesystem" } } } },
    }),
    ["Storage on disk has no effect on mail: only files, s3 keep state; where events are kept is the setting [storage] events"],
  );
});

Deno.test("UI, API and ingress may share a port", () => {
  assertEquals(resolve({ tree: { api: { port: 8811 } } }).core.api.port, 8811);
  assertEquals(resolve({ tree: { ingress: { port: 8811 } } }).core.ingress.port, 8811);
  assertEquals(resolve({ tree: { api: { port: 8811 }, ingress: { port: 8811 } } }).warnings, []);
});

Deno.test("ports clash only on the same network and address", () => {
  const allowed: readonly SettingSources[] = [
    { flags: { "smtp-port": ["0"], "ftp-port": ["0"] } },
    { flags: { "trap-port": ["1025"] } },
    { tree: { plugins: { mail: { enabled: false } } }, flags: { "ftp-port": ["1025"] } },
    { tree: smtp({ bind: "127.0.0.2", port: 2121 }) },
    { tree: smtp({ port: 1, tls_port: 0 }) },
  ];
  for (const sources of allowed) resolve(sources);
  const refused: readonly SettingSources[] = [
    { flags: { "ftp-port": ["1025"] } },
    { flags: { "api-port": ["8822"] } },
    { tree: smtp({ port: 5, tls_port: 5 }) },
    { tree: smtp({ bind: "0.0.0.0", port: 2121 }) },
    { tree: smtp({ bind: "localhost", port: 2121 }) },
    { tree: { ui: { bind: "0.0.0.0" }, ingress: { port: 8811 } } },
  ];
  for (const sources of refused) {
    const [problem = ""] = problems(sources);
    assertEquals(/^Cannot listen on tcp port \d+ twice, for /.test(problem), true, problem);
  }
});

Deno.test("all problems are reported at once", () => {
  const found = problems({
    file: { path: "x.toml", tree: { bnd: "x", ...smtp({ port: 70_000 }) } },
    env: (name) => name === "SERVICE_HOST" ? "a b" : undefined,
    flags: { "ftp-port": ["8822"], "log-level": ["loud"] },
    enabledProviders: ["bogus"],
  });
  assertEquals(found.length, 5, found.join("\n"));
});

Deno.test("no message contains the value of a secret, from any source", () => {
  const secret = "hunter2hunter2";
  const sources: readonly SettingSources[] = [
    { tree: smtp({ password: { is: secret } }) },
    { tree: smtp({ passwrd: secret }) },
    { flags: { "smtp-passwrd": [secret] } },
    { flags: { "smtp-password": [secret, secret] } },
    { flags: { "smtp-password": [secret] }, enabledProviders: ["mail1"], only: "mail" },
  ];
  for (const one of sources) {
    const text = problems(one).join("\n");
    assertEquals(text.includes(secret), false, text);
  }
});

Deno.test("names of built-in properties are unknown keys like any other", () => {
  for (const name of ["constructor", "toString", "hasOwnProperty"]) {
    assertEquals(problems({ tree: { [name]: 1 } }).length, 1);
    assertEquals(problems({ tree: { plugins: { [name]: {} } } }).length, 1);
    assertEquals(problems({ flags: { [name]: ["1"] } }).length, 1);
  }
  assertEquals(problems({ tree: { "ui.port": 1 } }).length, 1);
});

Deno.test("any input makes settings, or problems of one line each", () => {
  const tree = optionTree(PLAIN_PLUGINS);
  const path = fc.constantFrom(...tree.byPath.keys(), "plugins.bogus", "ui.bogus");
  const value = fc.oneof(
    fc.anything({ withBigInt: true, withDate: true, withMap: true, withNullPrototype: true }),
    fc.constantFrom(0, 1, 8811, 8822, true, false, "", "memory", "filesystem", "::", "a"),
  );
  const text = fc.oneof(fc.string(), fc.constantFrom("0", "8811", "true", "::1", "a,b", "~/a"));
  const given = fc.record({
    tree: fc.array(fc.tuple(path, value)).map(toTables),
    env: fc.dictionary(variables(tree), text).map((all) => (name: string) => all[name]),
    flags: fc.dictionary(fc.constantFrom(...tree.byFlag.keys()), fc.array(text, { minLength: 1 })),
    only: fc.constantFrom(...PLAIN_PLUGINS.map(({ id }) => id), "bogus"),
    enabledProviders: fc.array(fc.constantFrom("smtp", "mail1", "http", "mail/smtp", "bogus")),
    portsZero: fc.boolean(),
  }, { requiredKeys: [] });
  fc.assert(fc.property(given, assertResolves), fuzzed(500));
});

function variables(tree: ReturnType<typeof optionTree>): fc.Arbitrary<string> {
  const names = [...tree.byPath.values()].flatMap(({ variable }) => variable ?? []);
  return fc.constantFrom(...names, "HOME");
}

function toTables(pairs: readonly (readonly [string, unknown])[]): Record<string, unknown> {
  const tables: Record<string, unknown> = {};
  for (const [path, value] of pairs) {
    const keys = path.split(".");
    let table = tables;
    for (const key of keys.slice(0, -1)) table = (table[key] ??= {}) as Record<string, unknown>;
    table[keys.at(-1)!] = value;
  }
  return tables;
}

function assertResolves(sources: SettingSources): void {
  try {
    resolve(sources);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    for (const problem of error.problems) assertEquals(/[\n\r]/.test(problem), false, problem);
  }
}

Deno.test("memory_limit follows larger limits of the stores, unless it is set", () => {
  const limitOf = (storage: Record<string, string>): number =>
    resolve({ tree: { storage } }).core.storage.memory_limit;
  assertEquals(limitOf({ raw_limit: "1GB" }), 2_000_000_000);
  assertEquals(limitOf({ blob_limit: "100MB" }), 536_870_912);
  assertEquals(limitOf({ blob_limit: "1GB", memory_limit: "200MB" }), 200_000_000);
  const { warnings } = resolve({ tree: { storage: { blob_limit: 150e6, memory_limit: 200e6 } } });
  assertEquals(warnings.length, 1);
  assert(warnings[0]?.includes("blob_limit"), warnings[0]);
  const [problem = ""] = problems({ tree: { storage: { memory_limit: "1MB" } } });
  assert(problem.includes("expected at least 64MB"), problem);
});

Deno.test("a port of the ingress without providers is refused as a flag, and warned about as a variable", () => {
  const only = { only: "mail", enabledProviders: ["smtp"] };
  const reason =
    "no HTTP provider that shares the ingress runs; valid ports are --ui-port, --smtp-port";
  const error = assertThrows(
    () => resolveSettings(PLAIN_PLUGINS, { ...only, flags: { "in-port": ["0"] } }),
    ConfigError,
  );
  assertEquals(error.problems, [`Cannot use --in-port: ${reason}`]);
  const env = (name: string) => name === "SERVICE_INGRESS_PORT" ? "8822" : undefined;
  assertEquals(resolveSettings(PLAIN_PLUGINS, { ...only, env }).warnings, [
    `SERVICE_INGRESS_PORT has no effect: ${reason}`,
  ]);
  assertEquals(resolveSettings(PLAIN_PLUGINS, { only: "mail", env }).warnings, []);
});
