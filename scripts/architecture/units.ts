/** The module graph in the large: folders instead of files, and only the arrows that say something. */
import { type Layer, layerOf } from "../lint/table.ts";
import type { Edge } from "./graph.ts";

/** A folder, or a file that stands for itself. */
export interface Unit {
  readonly name: string;
  readonly layer: Layer;
}

/** `from` imports `to` to run it. Both are names of units. */
export interface Arrow {
  readonly from: string;
  readonly to: string;
}

/** What is drawn. */
export interface Structure {
  readonly units: readonly Unit[];
  /** Without those that a longer way of arrows implies. */
  readonly arrows: readonly Arrow[];
  /** What is named beside the picture, without arrows: files that all may import, and what only types come from. */
  readonly unlinked: readonly string[];
  /** Folders that the unit `plugins/*` stands for. */
  readonly plugins: readonly string[];
}

const OWN = /^(core|plugins|ui)\/|^(main|mod)\.ts$/;

/** Folders that are a unit of their own although they lie inside another. */
const INNER = /^core\/http\/server(?=\/)/;

/** The unit a file belongs to. A file whose layer is not that of its folder is one by itself. */
export function unitOf(path: string): Unit {
  const layer = layerOf(path);
  if (/^plugins\/[^/]+\//.test(path)) {
    return { name: layer === "pure" ? "plugins/*/codec" : "plugins/*", layer };
  }
  const folder = INNER.exec(path)?.[0] ?? /^(core|ui)\/[^/]+(?=\/)/.exec(path)?.[0];
  if (folder !== undefined && layerOf(`${folder}/any.ts`) === layer) return { name: folder, layer };
  return { name: path, layer };
}

/** Whether all may import it, so that arrows would say nothing: a file of core, other than the contract of the plugins. */
function isSingle({ name, layer }: Unit): boolean {
  return /\.[jt]s$/.test(name) && layer !== "edge" && name !== "core/plugin.ts";
}

/** The graph in the large. Imports of types alone do not count: nothing of them runs. */
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

/** The arrows to which there is no longer way. The graph has no cycle; `tests/architecture_test.ts` sees to it. */
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
