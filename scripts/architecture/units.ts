/** The module graph on the level of folders. */
import { type Layer, layerOf } from "../lint/table.ts";
import type { Edge } from "./graph.ts";

/** A folder, or a single file. */
export interface Unit {
  readonly name: string;
  readonly layer: Layer;
}

/** `from` imports `to` at run time. Both are names of units. */
export interface Arrow {
  readonly from: string;
  readonly to: string;
}

/** Content of the diagram. */
export interface Structure {
  readonly units: readonly Unit[];
  /** Arrows, without those that a longer path of arrows implies. */
  readonly arrows: readonly Arrow[];
  /** Units without arrows: files that everything may import, and sources of types only. */
  readonly unlinked: readonly string[];
  /** Folders that the unit `plugins/*` includes. */
  readonly plugins: readonly string[];
}

const OWN = /^(core|plugins|ui)\/|^(main|mod)\.ts$/;

/** Folders inside another that are separate units. */
const INNER = /^core\/http\/server(?=\/)/;

/** Returns the unit of a file. A file whose layer differs from its folder's is a unit itself. */
export function unitOf(path: string): Unit {
  const layer = layerOf(path);
  if (/^plugins\/[^/]+\//.test(path)) {
    return { name: layer === "pure" ? "plugins/*/codec" : "plugins/*", layer };
  }
  const folder = INNER.exec(path)?.[0] ?? /^(core|ui)\/[^/]+(?=\/)/.exec(path)?.[0];
  if (folder !== undefined && layerOf(`${folder}/any.ts`) === layer) return { name: folder, layer };
  return { name: path, layer };
}

/**
 * Returns whether everything may import it, so that arrows would be meaningless: a file of core other than the plugin
 * contract.
 */
function isSingle({ name, layer }: Unit): boolean {
  return /\.[jt]s$/.test(name) && layer !== "edge" && name !== "core/plugin.ts";
}

/** Reduces the graph to units. Ignores imports of types. */
export function structureOf(edges: readonly Edge[]): Structure {
  const units = new Map<string, Unit>();
  const single = new Set<string>();
  const plugins = new Set<string>();
  const next = new Map<string, Set<string>>();
  for (const edge of edges) {
    if (!OWN.test(edge.from) || !OWN.test(edge.to)) continue;
    const [from, to] = [unitOf(edge.from), unitOf(edge.to)];
    for (const unit of [from, to]) {
      if (isSingle(unit)) single.add(unit.name);
      else units.set(unit.name, unit);
    }
    const plugin = /^plugins\/([^/]+)\//.exec(edge.to)?.[1];
    if (plugin !== undefined) plugins.add(plugin);
    if (edge.typeOnly || from.name === to.name || isSingle(from) || isSingle(to)) continue;
    next.set(from.name, (next.get(from.name) ?? new Set()).add(to.name));
  }
  const arrows = withoutImplied(next);
  const linked = new Set(arrows.flatMap(({ from, to }) => [from, to]));
  const names = [...units.keys()].toSorted();
  return {
    units: names.filter((name) => linked.has(name)).flatMap((name) => units.get(name) ?? []),
    arrows,
    unlinked: [...single, ...names.filter((name) => !linked.has(name))].toSorted(),
    plugins: [...plugins].toSorted(),
  };
}

/** Removes arrows that a longer path implies. The graph has no cycle, which `tests/architecture_test.ts` checks. */
function withoutImplied(next: ReadonlyMap<string, ReadonlySet<string>>): readonly Arrow[] {
  const reached = (from: string, seen: Set<string>): Set<string> => {
    for (const to of next.get(from) ?? []) {
      if (!seen.has(to)) reached(to, seen.add(to));
    }
    return seen;
  };
  const arrows = [...next].flatMap(([from, targets]) => {
    const further = new Set([...targets].flatMap((to) => [...reached(to, new Set())]));
    return [...targets].filter((to) => !further.has(to)).map((to) => ({ from, to }));
  });
  return arrows.toSorted((a, b) => `${a.from} ${a.to}` < `${b.from} ${b.to}` ? -1 : 1);
}
