/**
 * Allowed imports, and names that a layer may not mention. Used by the lint plugin, and by `tests/architecture_test.ts`
 * on the module graph.
 *
 * @module
 */

/** Part of the program that a file belongs to. */
export type Layer =
  | "pure" // values in, values out: codecs, bytes, errors
  | "values" // interfaces and logic without sockets or files
  | "world" // the only code that touches sockets, files and key material
  | "wiring" // start-up, command line, read-back API
  | "plugin" // one kind of content and its providers
  | "edge" // main.ts, mod.ts, the plugin list, the asset list
  | "browser" // served to the browser as it is
  | "free"; // scripts and tests

/** Explanation of a violated rule. */
export interface LayerViolation {
  readonly message: string;
  readonly hint: string;
}

/** Files of `world` folders with only interfaces or in-memory values. */
const VALUE_FILES: ReadonlySet<string> = new Set([
  "core/net/transport.ts",
  "core/blobs/blob.ts",
  "core/blobs/schema.ts",
]);

const WORLD = /^core\/(net|nats|peers|blobs|persist|tls|client|http\/server)\//;
const WIRING = /^core\/(app|cli|api)\//;
const PURE =
  /^core\/(bytes|codec)\/|^core\/(compact|errors|result|schema)\.ts$|^plugins\/.*\/codec\//;
const EDGE = /^(main|mod)\.ts$|^plugins\/(standard|models|client)\.ts$|^ui\/[^/]+\.[jt]s$/;

/** Types of captured items; they have no code. */
const MODEL = /^plugins\/([^/]+)\/model\.ts$/;
/** Type-only modules that declarations for the browser share. */
const TYPES = /^(core\/client|plugins\/[^/]+)\/model\.ts$/;

/** Node modules that only compute; all others reach outside the process. */
const COMPUTING_NODE = /^node:(assert|buffer|crypto|events|stream|string_decoder|util|zlib)(\/|$)/;

/** Layers of this project that each layer may import. */
const MAY_IMPORT: Readonly<Record<Exclude<Layer, "free">, readonly Layer[]>> = {
  pure: ["pure"],
  values: ["pure", "values"],
  world: ["pure", "values", "world"],
  wiring: ["pure", "values", "world", "wiring"],
  plugin: ["pure", "values", "world", "plugin"],
  edge: ["pure", "values", "world", "wiring", "plugin", "edge", "browser"],
  browser: ["browser"],
};

/** Returns the layer of a file, by its path from the root of the repository. */
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
 * Explains why `from` may not import `to`, if so. Both are paths from the root; `to` may also be a package or a built-in
 * module such as `node:net`.
 */
export function checkImport(from: string, to: string): LayerViolation | undefined {
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

function checkForeign(layer: Layer, to: string): LayerViolation | undefined {
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
      "Take sockets from env.net and time from the context; only core/net, core/peers, core/blobs, core/persist, core/tls and " +
        "core/http/server touch the outside",
    );
  }
  return undefined;
}

/** A codec of a plugin may import only itself and core. */
function checkPure(from: string, to: string): LayerViolation | undefined {
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

function checkPlugin(from: string, to: string): LayerViolation | undefined {
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

/** Folders of a plugin that its providers share; every other folder belongs to a provider. */
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

function breach(message: string, hint: string): LayerViolation {
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

/** Returns the names a file may not mention. `core/bytes/digest.ts` wraps the platform's hash functions, which are pure. */
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
      // Other programs use the client to reach this one.
      if (path.startsWith("core/client/")) return NOTHING;
      return { ...NOTHING, globals: ["fetch", "WebSocket"] };
    case "wiring":
    case "edge":
      return { ...NOTHING, globals: ["fetch", "WebSocket"] };
    default:
      return NOTHING;
  }
}
