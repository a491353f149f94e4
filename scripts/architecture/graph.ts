/** The module graph of the program, read with `deno info`. */

/** One import between two files of the project, or of a package or built-in module. */
export interface Edge {
  readonly from: string;
  readonly to: string;
  /** Only types are imported. */
  readonly typeOnly: boolean;
  /** Imported by `import()`: loaded on its first use. */
  readonly onDemand?: boolean;
}

interface Resolved {
  readonly specifier?: string;
  readonly error?: string;
}

interface Info {
  readonly modules: readonly {
    readonly specifier: string;
    readonly error?: string;
    readonly dependencies?: readonly {
      readonly specifier: string;
      readonly code?: Resolved;
      readonly type?: Resolved;
      readonly isDynamic?: boolean;
    }[];
  }[];
}

/** Reads every import that the entry points reach. Throws if one cannot be resolved. */
export async function readGraph(root: URL, entries: readonly string[]): Promise<readonly Edge[]> {
  const edges = new Map<string, Edge>();
  // One entry at a time: with several, `deno info` prints the first only.
  for (const entry of entries) {
    const output = await new Deno.Command(Deno.execPath(), {
      args: ["info", "--json", entry],
      cwd: root,
      env: { NO_COLOR: "1" },
    }).output();
    if (!output.success) throw new Error(new TextDecoder().decode(output.stderr));
    const info = JSON.parse(new TextDecoder().decode(output.stdout)) as Info;
    for (const edge of edgesOf(info, root)) {
      edges.set(`${edge.from} ${edge.to} ${edge.typeOnly}`, edge);
    }
  }
  return [...edges.values()];
}

function* edgesOf(info: Info, root: URL): Generator<Edge> {
  const path = (specifier: string): string =>
    specifier.startsWith(root.href) ? specifier.slice(root.href.length) : specifier;
  for (const module of info.modules) {
    const from = path(module.specifier);
    if (module.error !== undefined) throw new Error(`Cannot load ${from}: ${module.error}`);
    // Declarations of packages point at the packages, not at code of ours.
    if (!module.specifier.startsWith(root.href) || from.endsWith(".d.ts")) continue;
    for (const { specifier, code, type, isDynamic } of module.dependencies ?? []) {
      const target = code?.specifier ?? type?.specifier;
      if (target === undefined) throw new Error(`Cannot resolve "${specifier}" in ${from}`);
      const to = target.startsWith(root.href) ? path(target) : specifier.replace(/^npm:/, "");
      yield { from, to, typeOnly: code === undefined, ...(isDynamic ? { onDemand: true } : {}) };
    }
  }
}

/** Returns what the program loads with these files, apart from what it loads on demand. */
export function loadedWith(edges: readonly Edge[], files: readonly string[]): ReadonlySet<string> {
  const loaded = new Set(files);
  // A set visits what is added to it meanwhile.
  for (const file of loaded) {
    for (const { from, to, typeOnly, onDemand } of edges) {
      if (from === file && !typeOnly && onDemand !== true) loaded.add(to);
    }
  }
  return loaded;
}

/** Finds a cycle, as a list of nodes; `undefined` if there is none. */
export function findCycle(
  edges: readonly { readonly from: string; readonly to: string }[],
): readonly string[] | undefined {
  const next = new Map<string, Set<string>>();
  for (const { from, to } of edges) {
    if (from !== to) next.set(from, (next.get(from) ?? new Set()).add(to));
  }
  const done = new Set<string>();
  const way: string[] = [];
  const visit = (node: string): readonly string[] | undefined => {
    if (way.includes(node)) return [...way.slice(way.indexOf(node)), node];
    if (done.has(node)) return undefined;
    way.push(node);
    for (const target of next.get(node) ?? []) {
      const cycle = visit(target);
      if (cycle !== undefined) return cycle;
    }
    way.pop();
    done.add(node);
    return undefined;
  };
  for (const node of next.keys()) {
    const cycle = visit(node);
    if (cycle !== undefined) return cycle;
  }
  return undefined;
}
