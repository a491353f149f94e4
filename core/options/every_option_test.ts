import { assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { Ajv2020 } from "npm:ajv@8.20.0/dist/2020.js";
import { STANDARD_PLUGINS } from "../../plugins/standard.ts";
import { PLAIN_PLUGINS } from "../../tests/support/plain_plugins.ts";
import { definePlugin, type PluginState, udpProvider } from "../plugin.ts";
import { renderHelp, settingGroups } from "./help.ts";
import { settingsSchema } from "./json_schema.ts";
import { resolveSettings, type SettingSources } from "./resolve.ts";
import { sampleFile, sampleValue } from "./sample_file.ts";
import { port } from "./spec.ts";
import { parseToml } from "./toml.ts";
import { optionTree, type Setting } from "./tree.ts";

for (const [name, plugins] of [["plain", PLAIN_PLUGINS], ["standard", STANDARD_PLUGINS]] as const) {
  const tree = optionTree(plugins);
  const settings = [...tree.byPath.values()];

  Deno.test(`${name}: file, variable and flag of every setting give the same value`, () => {
    const read = (setting: Setting, { tree, ...sources }: SettingSources): unknown => {
      const whole = withOtherHalf(setting, tree ?? {});
      return valueAt(
        setting,
        resolveSettings(plugins, { portsZero: true, ...sources, tree: whole }),
      );
    };
    for (const setting of settings.filter(readsBack)) {
      const { value, text } = otherValue(setting);
      const fromFile = read(setting, { tree: nest(setting.path, value) });
      assertEquals(fromFile === undefined, false, `${setting.path} has no value`);
      if (setting.flag === undefined || setting.variable === undefined) continue;
      const { flag, variable } = setting;
      assertEquals(read(setting, { flags: { [flag]: [text] } }), fromFile, flag);
      const env = (asked: string) => asked === variable ? text : undefined;
      assertEquals(read(setting, { env }), fromFile, variable);
    }
  });

  Deno.test(`${name}: help lists every flag, on serve and on the plugin's own command`, () => {
    const page = (plugin?: string): string =>
      renderHelp("x", { usage: "", about: [], groups: settingGroups(tree, plugin), notes: [] });
    for (const { flag, shortcutFlag, plugin } of settings) {
      if (flag === undefined) continue;
      assertStringIncludes(page(), `--${flag}`);
      for (const { id } of plugins) {
        const wanted = plugin === undefined || plugin === id;
        assertEquals(page(id).includes(`--${shortcutFlag ?? flag}`), wanted, `${id} ${flag}`);
      }
    }
  });

  Deno.test(`${name}: the sample file has every setting, and changes nothing when uncommented`, () => {
    const sample = sampleFile(tree);
    assertEquals(parseToml(sample, "sample").bind, undefined);
    const tables = parseToml(sample.replaceAll(/^# /gm, ""), "sample");
    for (const setting of settings) {
      assertEquals(at(tables, setting.path) === undefined, false, setting.path);
    }
    const [plain, full] = [{}, { tree: tables }].map((sources) =>
      resolveSettings(plugins, sources)
    );
    for (const setting of settings.filter((one) => one.spec.fallback !== undefined)) {
      assertEquals(valueAt(setting, full!), valueAt(setting, plain!), setting.path);
    }
  });

  Deno.test(`${name}: the editor schema accepts the sample file and refuses unknown keys`, () => {
    const ajv = new Ajv2020({ strict: false, validateSchema: false });
    const { $schema: _draft, ...schema } = settingsSchema(tree);
    const validate = ajv.compile(schema);
    const tables = parseToml(sampleFile(tree).replaceAll(/^# /gm, ""), "sample");
    assertEquals(validate(tables), true, JSON.stringify(validate.errors));
    for (const setting of settings) {
      assertEquals(validate(nest(setting.path, sampleValue(setting))), true, setting.path);
      assertEquals(validate(nest(`${setting.path}_`, 1)), false, setting.path);
      assertEquals(validate(nest(setting.path, { wrong: true })), false, setting.path);
    }
  });

  Deno.test(`${name}: a setting without effect has no variable, and a variable is named after its flag`, () => {
    for (const { flag, variable, spec } of settings) {
      assertEquals(flag === undefined, spec.only === "file");
      assertEquals(variable, flag && `SERVICE_${flag.replaceAll("-", "_").toUpperCase()}`);
    }
  });
}

Deno.test("two settings that claim one flag are refused, naming both", () => {
  const clash = definePlugin<PluginState>({
    id: "clash",
    title: "Clash",
    about: "Claims a flag of the service itself",
    eventTypes: [],
    routes: [],
    open: () => ({}),
    providers: [udpProvider({
      id: "ui",
      title: "Clash",
      about: "Claims a flag of the service itself",
      scheme: "ui",
      options: { port: port("Port", 1) },
      portOption: "port",
      open: () => ({ receive() {} }),
    })],
  });
  assertThrows(
    () => optionTree([clash]),
    RangeError,
    'Cannot use flag "--ui-port" for plugins.clash.providers.ui.port: ui.port has it',
  );
});

/** Without settings that affect other values, and those that are refused alone. */
function readsBack({ key, path, table }: Setting): boolean {
  return key !== "enabled" && path !== "api.bind" && !table.startsWith("storage.plugins");
}

/** A certificate needs its key, and events on disk need a folder: the missing setting is added. */
function withOtherHalf(
  { path }: Setting,
  tree: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const other: Readonly<Record<string, string>> = {
    "ingress.tls_cert_file": "tls_key_file",
    "ingress.tls_key_file": "tls_cert_file",
  };
  if (path === "storage.events") return { storage: { path: "./kept", ...Object(tree.storage) } };
  const key = other[path];
  return key === undefined ? tree : { ingress: { [key]: "/other.pem", ...Object(tree.ingress) } };
}

/** A valid value other than the default, in the file's form and as text. */
function otherValue(setting: Setting): { readonly value: unknown; readonly text: string } {
  const { schema, fallback, example, kind } = setting.spec;
  if (setting.path === "storage.backend") return { value: "memory", text: "memory" };
  if (schema["type"] === "boolean") {
    return { value: fallback !== true, text: `${fallback !== true}` };
  }
  if (setting.table === "namespaces" && schema["type"] === "array") {
    return { value: ["a=b"], text: "a=b" };
  }
  if (setting.key.endsWith("_origins") || setting.key === "allow") {
    return { value: ["http://a:1", "https://b"], text: "http://a:1,https://b" };
  }
  if (setting.key === "replicas") return { value: 3, text: "3" };
  if (kind === "table") return { value: {}, text: "" };
  if (kind === "tables") return { value: setting.spec.example, text: "" };
  if (schema["type"] === "array") return { value: ["one", "two"], text: "one,two" };
  if (Array.isArray(schema["enum"])) {
    const word = String(schema["enum"].find((one) => one !== fallback));
    return { value: word, text: word };
  }
  if (kind === "port" || kind === "number" || kind === "seconds" || kind === "bytes") {
    const value = Number(schema["minimum"] ?? 0) + 17;
    return { value, text: String(value) };
  }
  if (setting.key === "bind" || setting.key === "host") return { value: "::1", text: "::1" };
  const text = String(example ?? (kind === "path" ? "/some/where" : fallback ?? "some text"));
  return { value: text, text };
}

function valueAt(setting: Setting, settings: ReturnType<typeof resolveSettings>): unknown {
  const [first = "", ...rest] = setting.path.split(".");
  if (first === "plugins" && setting.provider === undefined) {
    return settings.plugins.get(setting.plugin ?? "")?.values[setting.key];
  }
  if (setting.provider !== undefined) {
    const own = settings.plugins.get(setting.plugin ?? "")?.providers.get(setting.provider);
    return setting.key === "bind" ? own?.bind : own?.values[setting.key];
  }
  return rest.length === 0 ? at(settings.core.root, first) : at(settings.core, setting.path);
}

function at(value: unknown, path: string): unknown {
  return path.split(".").reduce<unknown>(
    (inner, key) =>
      typeof inner === "object" && inner !== null
        ? (inner as Readonly<Record<string, unknown>>)[key]
        : undefined,
    value,
  );
}

function nest(path: string, value: unknown): Readonly<Record<string, unknown>> {
  const [first = "", ...rest] = path.split(".");
  return { [first]: rest.length === 0 ? value : nest(rest.join("."), value) };
}
