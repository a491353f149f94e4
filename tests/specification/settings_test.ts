/** Every flag, variable, key of the file and default of the specification, by name. */
import { assertEquals } from "@std/assert";
import { resolveSettings, type SettingSources } from "../../core/options/resolve.ts";
import type { Settings } from "../../core/options/settings.ts";
import { STANDARD_PLUGINS } from "../../plugins/standard.ts";
import { runToEnd } from "../cli/console.ts";

const COMMON = ["ui-port", "api-port", "bind", "host", "log-level", "h2c", "persist"];
const FLAGS: Readonly<Record<string, readonly string[]>> = {
  mail: [
    ...["mail1-api-key", "mail1-secret-key", "mail2-api-key"],
    ...["smtp-port", "smtp-username", "smtp-password"],
  ],
  sms: ["sms1-account-sid", "sms1-auth-token"],
  chat: [],
  files: [
    ...["ftp-port", "ftp-passive-host", "ftp-passive-ports", "ftp-username", "ftp-password"],
    ...["sftp-port", "sftp-host-key", "sftp-authorized-keys", "sftp-username", "sftp-password"],
    ...["tftp-port", "nfs-port"],
  ],
  s3: ["s3-port"],
  push: ["push1-bearer-token", "push2-topic", "push2-key-id"],
  snmp: ["trap-port"],
  as2: [
    ...["as2-cert-file", "as2-key-file", "as2-partner-cert-file", "as2-cert-dir"],
    ...["as2-common-name", "as2-in-memory", "as2-to", "as2-max-body"],
  ],
  hl7: ["mllp-port"],
};

async function helpOf(command: string): Promise<string> {
  return (await runToEnd(["help", command], { plugins: STANDARD_PLUGINS })).stdout;
}

function missing(flags: readonly string[], page: string): readonly string[] {
  return flags.filter((flag) => !new RegExp(`(^|\\s)--${flag}\\b(?!-)`, "m").test(page));
}

Deno.test("serve accepts every documented flag", async () => {
  const page = await helpOf("serve");
  const flags = [...COMMON, "config", "ingress-port", ...Object.values(FLAGS).flat()];
  assertEquals(missing(flags, page), []);
});

for (const [plugin, flags] of Object.entries(FLAGS)) {
  Deno.test(`the command ${plugin} accepts the common flags and every documented one of its own`, async () => {
    const page = await helpOf(plugin);
    assertEquals(missing([...COMMON, "in-port", "enabled-providers", ...flags], page), []);
    assertEquals(missing(["config", "ingress-port"], page), ["config", "ingress-port"]);
  });
}

function settingsOf(sources: SettingSources = {}): Settings {
  return resolveSettings(STANDARD_PLUGINS, sources);
}

/** Values of a provider, `plugin/provider`. */
function valuesOf(settings: Settings, name: string): Readonly<Record<string, unknown>> {
  const [plugin = "", provider = ""] = name.split("/");
  return settings.plugins.get(plugin)?.providers.get(provider)?.values ?? {};
}

Deno.test("the documented ports, limits and switches are the defaults", () => {
  const settings = settingsOf();
  assertEquals([settings.core.ui.port, settings.core.ingress.port], [8811, 8822]);
  assertEquals([settings.core.api.port, settings.core.ingress.h2c], [undefined, true]);
  const rows: readonly (readonly [provider: string, values: Record<string, unknown>])[] = [
    ["mail/smtp", { port: 1025 }],
    ["files/ftp", { port: 2121 }],
    ["snmp/trap", { port: 1162 }],
    ["s3/http", {
      port: 9000,
      max_buckets: 1000,
      max_objects: 50_000,
      max_active_uploads: 1000,
      max_parts: 10_000,
      max_bucket_bytes: 255,
      max_key_bytes: 1024,
      max_metadata_bytes: 16 * 1024,
      // 64 MiB in memory, and unlimited with --persist.
      max_object_bytes: undefined,
    }],
  ];
  for (const [provider, values] of rows) {
    const found = valuesOf(settings, provider);
    assertEquals(
      Object.fromEntries(Object.keys(values).map((key) => [key, found[key]])),
      values,
      provider,
    );
  }
});

Deno.test("the documented keys of the file mean what their flags mean", () => {
  const rows: readonly (readonly [provider: string, key: string, flag: string])[] = [
    ["mail/mail1", "api_key", "mail1-api-key"],
    ["mail/mail1", "secret_key", "mail1-secret-key"],
    ["as2/http", "cert_file", "as2-cert-file"],
    ["as2/http", "key_file", "as2-key-file"],
    ["as2/http", "partner_cert_file", "as2-partner-cert-file"],
    ["as2/http", "cert_dir", "as2-cert-dir"],
  ];
  for (const [name, key, flag] of rows) {
    const [plugin = "", provider = ""] = name.split("/");
    // A certificate needs its key.
    const pair = plugin === "as2" ? { cert_file: "/c.pem", key_file: "/k.pem" } : {};
    const tree = (more: object) => ({ plugins: { [plugin]: { providers: { [provider]: more } } } });
    const fromFile = settingsOf({ tree: tree({ ...pair, [key]: "/x" }) });
    const fromFlag = settingsOf({ tree: tree(pair), flags: { [flag]: ["/x"] } });
    assertEquals([name, valuesOf(fromFile, name)[key]], [name, "/x"]);
    assertEquals([name, valuesOf(fromFlag, name)[key]], [name, "/x"]);
  }
});

Deno.test("the file has the documented settings without a flag", () => {
  const rows:
    readonly (readonly [plugin: string, provider: string, keys: Record<string, unknown>])[] = [
      ["mail", "smtp", {
        bind: "::1",
        read_timeout: 7,
        write_timeout: 8,
        max_message_bytes: 9,
        max_recipients: 10,
        max_connections: 11,
      }],
      ["files", "ftp", { bind: "::1", idle_timeout: 7, connection_timeout: 8, max_connections: 9 }],
      ["files", "sftp", { bind: "::1", handshake_timeout: 7, idle_timeout: 8, max_connections: 9 }],
    ];
  for (const [plugin, provider, keys] of rows) {
    const tree = { plugins: { [plugin]: { providers: { [provider]: keys } } } };
    const found = settingsOf({ tree }).plugins.get(plugin)?.providers.get(provider);
    const { bind, ...values } = keys;
    assertEquals(found?.bind, bind, provider);
    for (const [key, value] of Object.entries(values)) assertEquals(found?.values[key], value, key);
  }
});

Deno.test("storage on disk is chosen by flag, by variable and by the file, for all or for one plugin", () => {
  const backends = (sources: SettingSources): unknown =>
    Object.fromEntries(
      ["files", "s3"].map((id) => {
        const storage = settingsOf(sources).core.storage.plugins[id];
        return [id, storage?.folder ?? storage?.backend];
      }),
    );
  const env = (name: string) => name === "SERVICE_PERSIST" ? "/data" : undefined;
  const both = { files: "/data/files", s3: "/data/s3" };
  assertEquals(backends({}), { files: "memory", s3: "memory" });
  assertEquals(backends({ flags: { persist: ["/data"] } }), both);
  assertEquals(backends({ env }), both);
  const storage = { backend: "filesystem", path: "/data" };
  assertEquals(backends({ tree: { storage } }), both);
  const own = { ...storage, plugins: { s3: { backend: "memory" } } };
  assertEquals(backends({ tree: { storage: own } }), { files: "/data/files", s3: "memory" });
});
