/**
 * Who may import whom, and which names a layer may not mention. One table, read by the lint plugin while typing and by
 * `tests/architecture_test.ts` over the finished module graph.
 *
 * @module
 */

/** Part of the program a file belongs to. */
export type Layer =
  | "pure" // values in, values out: codecs, bytes, errors
  | "values" // interfaces and logic without sockets or files
  | "world" // the only code that touches sockets, files and key material
  | "wiring" // start-up, command line, read-back API
  | "plugin" // one kind of content and its providers
  | "edge" // main.ts, mod.ts, the plugin list, the asset list
  | "browser" // served to the browser as it is
  | "free"; // scripts and tests

/** A rule that an import breaks, in words for people. */
export interface Breach {
  readonly message: string;
  readonly hint: string;
}

/** Files of `world` folders that hold interfaces or plain memory only. */
const VALUE_FILES: ReadonlySet<string> = new Set([
  "core/net/transport.ts",
  "core/blobs/blob.ts",
  "core/blobs/schema.ts",
]);

const WORLD = /^core\/(net|blobs|persist|tls|client|http\/server)\//;
const WIRING = /^core\/(app|cli|api)\//;
const PURE =
  /^core\/(bytes|codec)\/|^core\/(compact|errors|result|schema)\.ts$|^plugins\/.*\/codec\//;
const EDGE = /^(main|mod)\.ts$|^plugins\/(standard|models|client)\.ts$|^ui\/[^/]+\.[jt]s$/;

/** Types of what a plugin captures: nothing in it runs. */
const MODEL = /^plugins\/([^/]+)\/model\.ts$/;
/** Types alone, which declarations for the browser share. */
const TYPES = /^(core\/client|plugins\/[^/]+)\/model\.ts$/;

/** Node modules that compute; every other one reaches outside the process. */
const COMPUTING_NODE = /^node:(assert|buffer|crypto|events|stream|string_decoder|util|zlib)(\/|$)/;

/** What each layer may import of this project. */
const MAY_IMPORT: Readonly<Record<Exclude<Layer, "free">, readonly Layer[]>> = {
  pure: ["pure"],
  values: ["pure", "values"],
  world: ["pure", "values", "world"],
  wiring: ["pure", "values", "world", "wiring"],
  plugin: ["pure", "values", "world", "plugin"],
  edge: ["pure", "values", "world", "wiring", "plugin", "edge", "browser"],
  browser: ["browser"],
};

/** The layer of a file, by its path from the root of the repository. */
export function layerOf(path: string): Layer {
  if (/^(tests|scripts)\//.test(path) || /_test\.[jt]s$/.test(path)) return "free";
  if (EDGE.test(path)) return "edge";
  if (path.startsWith("ui/static/")) return "browser";
  if (PURE.test(path)) return "pure";
  if (VALUE_FILES.has(path)) return "values";
  if (WORLD.test(path)) return "world";
  if (WIRING.test(path)) return "wiring";
  if (path.startsWith("plugins/")) return "plugin";
  return path.startsWith("core/") ? "values" : "free";
}

/**
 * Why `from` may not import `to`, or nothing. Both are paths from the root; `to` may also be a package or a built-in
 * module such as `node:net`.
 */
export function checkImport(from: string, to: string): Breach | undefined {
  const layer = layerOf(from);
  if (layer === "free") return undefined;
  if (!isOwnFile(to)) return checkForeign(layer, to);
  if (to === "deno.json") return undefined;
  const target = layerOf(to);
  const model = MODEL.exec(to)?.[1];
  if (model !== undefined && model === pluginPath(from)?.plugin) return undefined;
  if (layer === "browser" && from.endsWith(".d.ts") && TYPES.test(to)) return undefined;
  if (!MAY_IMPORT[layer].includes(target)) {
    return {
      message: `A file of the ${layer} layer may not import "${to}" of the ${target} layer`,
      hint: `Layer ${layer} may import: ${MAY_IMPORT[layer].join(", ")}. See scripts/lint/table.ts`,
    };
  }
  return layer === "pure" ? checkPure(from, to) : checkPlugin(from, to);
}

function isOwnFile(to: string): boolean {
  return /^(core|plugins|ui|tests|scripts)\//.test(to) || /^[\w.-]+\.(ts|js|json)$/.test(to);
}

function checkForeign(layer: Layer, to: string): Breach | undefined {
  if (layer === "browser") {
    return /^(preact|@preact|htm)(\/|$)/.test(to)
      ? undefined
      : breach(`Browser code may not import "${to}"`, "The server serves ui/static as it is");
  }
  if (!to.startsWith("node:") || layer === "edge") return undefined;
  const computes = COMPUTING_NODE.test(to);
  if (layer === "pure" || ((layer === "values" || layer === "plugin") && !computes)) {
    return breach(
      `A file of the ${layer} layer may not import "${to}"`,
      "Take sockets from env.net and time from the context; only core/net, core/blobs, core/persist, core/tls and " +
        "core/http/server touch the outside",
    );
  }
  return undefined;
}

/** A codec of a plugin keeps to itself and to what core shares. */
function checkPure(from: string, to: string): Breach | undefined {
  const own = codecFolder(from);
  const other = codecFolder(to);
  if (other === undefined || other === own) return undefined;
  return breach(
    `A codec may not import "${to}" of another plugin's or provider's codec`,
    "A codec used twice belongs in core/codec",
  );
}

function codecFolder(path: string): string | undefined {
  return /^(plugins\/.*?\/codec)\//.exec(path)?.[1];
}

function checkPlugin(from: string, to: string): Breach | undefined {
  const [own, target] = [pluginPath(from), pluginPath(to)];
  if (own === undefined || target === undefined) return undefined;
  if (own.plugin !== target.plugin) {
    return breach(
      `Plugin "${own.plugin}" may not import "${to}" of plugin "${target.plugin}"`,
      "What two plugins need belongs in core",
    );
  }
  const siblings = own.provider !== undefined && target.provider !== undefined &&
    own.provider !== target.provider;
  if (!siblings) return undefined;
  return breach(
    `Provider "${own.provider}" may not import "${to}" of its sibling "${target.provider}"`,
    `What two providers need belongs in plugins/${own.plugin}`,
  );
}

/** Folders below a plugin that its providers share; every other folder is a provider's. */
const SHARED_FOLDERS: ReadonlySet<string> = new Set(["codec", "vfs", "catalog", "mime", "views"]);

function pluginPath(
  path: string,
): { readonly plugin: string; readonly provider?: string } | undefined {
  const match = /^plugins\/([^/]+)\/(?:([^/]+)\/)?[^/]+$/.exec(path) ??
    /^plugins\/([^/]+)\/([^/]+)\//.exec(path);
  const [, plugin, folder] = match ?? [];
  if (plugin === undefined) return undefined;
  if (folder === undefined || SHARED_FOLDERS.has(folder)) return { plugin };
  return { plugin, provider: folder };
}

function breach(message: string, hint: string): Breach {
  return { message, hint };
}

/** Globals and members a file may not mention, by layer. */
export interface BannedNames {
  /** As the object of a member expression or as a callee. */
  readonly globals: readonly string[];
  /** `object.property`. */
  readonly members: readonly string[];
  /** `new Date()` without an argument, `async` functions and `await`. */
  readonly clockAndAsync: boolean;
}

const NOTHING: BannedNames = { globals: [], members: [], clockAndAsync: false };
const REACHING_OUT = ["fetch", "WebSocket", "Worker", "process"];

/** The names a file may not mention. `core/bytes/digest.ts` wraps the platform's hash functions, which are pure. */
export function bannedNames(path: string): BannedNames {
  switch (layerOf(path)) {
    case "pure": {
      const digest = path === "core/bytes/digest.ts";
      return {
        globals: [
          ...REACHING_OUT,
          "Deno",
          "console",
          "setTimeout",
          "setInterval",
          "queueMicrotask",
          ...(digest ? [] : ["crypto"]),
        ],
        members: ["Date.now", "Math.random", "performance.now"],
        clockAndAsync: !digest,
      };
    }
    case "values":
      return { ...NOTHING, globals: [...REACHING_OUT, "Deno"] };
    case "plugin":
      return { ...NOTHING, globals: [...REACHING_OUT, "Deno"], members: ["Date.now"] };
    case "world":
      // The client is what other programs reach this one with.
      if (path.startsWith("core/client/")) return NOTHING;
      return { ...NOTHING, globals: ["fetch", "WebSocket"] };
    case "wiring":
    case "edge":
      return { ...NOTHING, globals: ["fetch", "WebSocket"] };
    default:
      return NOTHING;
  }
}
