/** Where the boxes and arrows of the architecture picture stand: rows from top to bottom, few crossings, no overlap. */
import type { Layer } from "../lint/table.ts";
import type { Structure, Unit } from "./units.ts";

/** Layers that share a band: neither may import the other. From top to bottom. */
const BANDS: readonly (readonly Layer[])[] = [
  ["edge"],
  ["browser", "plugin", "wiring"],
  ["world"],
  ["values"],
  ["pure"],
];

/** A point on the way of an arrow, in pixels. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** A unit where it is drawn. `x` is its middle, `y` its upper edge; pixels. */
export interface Box extends Point {
  readonly unit: Unit;
  readonly width: number;
}

/** A band of layers: pixels from the top. */
export interface Band {
  readonly layers: readonly Layer[];
  readonly top: number;
  readonly bottom: number;
}

/** The finished picture, without colours. */
export interface Layout {
  readonly width: number;
  readonly height: number;
  readonly boxes: readonly Box[];
  readonly bands: readonly Band[];
  /** The points each arrow passes, from its box to the next. */
  readonly ways: readonly (readonly Point[])[];
}

/** Pixels. */
export const BOX_HEIGHT = 30;
const ROW_HEIGHT = 64;
const BAND_GAP = 26;
const SIDE = 36;
const GAP = 26;
const PASSING = 14;

/** A box, or the place where an arrow passes a row. */
interface Spot {
  readonly row: number;
  readonly width: number;
  readonly unit?: Unit;
  readonly above: Spot[];
  readonly below: Spot[];
  x: number;
}

/** Lays the structure out. `widthOf` is the pixels a box needs. */
export function layOut(structure: Structure, widthOf: (unit: Unit) => number): Layout {
  const { rowOf, rows: count, bandOf } = rowsOf(structure);
  const rows: Spot[][] = Array.from({ length: count }, () => []);
  const add = (row: number, width: number, unit?: Unit): Spot => {
    const spot: Spot = { row, width, ...(unit && { unit }), above: [], below: [], x: 0 };
    rows[row]?.push(spot);
    return spot;
  };
  const boxes = new Map(
    structure.units.map((unit) =>
      [unit.name, add(rowOf.get(unit.name) ?? 0, widthOf(unit), unit)] as const
    ),
  );
  const ways = structure.arrows.map(({ from, to }) => {
    const [start, end] = [boxes.get(from), boxes.get(to)];
    if (start === undefined || end === undefined) throw new Error(`No box for ${from} or ${to}`);
    const way = [start];
    for (let row = start.row + 1; row < end.row; row++) way.push(add(row, PASSING));
    way.push(end);
    for (const [index, spot] of way.entries()) {
      const following = way[index + 1];
      if (following === undefined) break;
      spot.below.push(following);
      following.above.push(spot);
    }
    return way;
  });
  order(rows);
  const width = place(rows);
  const yOf = (row: number): number => SIDE + row * ROW_HEIGHT + (bandOf[row] ?? 0) * BAND_GAP;
  return {
    width,
    height: yOf(count - 1) + BOX_HEIGHT + SIDE,
    boxes: [...boxes.values()].map((spot) => ({
      unit: spot.unit as Unit,
      x: spot.x,
      y: yOf(spot.row),
      width: spot.width,
    })),
    bands: BANDS.map((layers, band) => ({
      layers,
      top: yOf(bandOf.indexOf(band)) - 24,
      bottom: yOf(bandOf.lastIndexOf(band)) + BOX_HEIGHT + 14,
    })),
    ways: ways.map((way) => pointsOf(way, yOf)),
  };
}

/** The row of every unit: its band, and within it below everything that imports it. */
function rowsOf({ units, arrows }: Structure): {
  readonly rowOf: ReadonlyMap<string, number>;
  readonly rows: number;
  /** The band of each row. */
  readonly bandOf: readonly number[];
} {
  const rowOf = new Map<string, number>();
  const bandOf: number[] = [];
  let first = 0;
  for (const [band, layers] of BANDS.entries()) {
    const inside = new Set(units.filter(({ layer }) => layers.includes(layer)).map((u) => u.name));
    const depth = (name: string): number =>
      Math.max(
        0,
        ...arrows.filter((a) => a.to === name && inside.has(a.from)).map((a) => depth(a.from) + 1),
      );
    const deepest = Math.max(...[...inside].map(depth));
    for (const name of inside) rowOf.set(name, first + depth(name));
    for (let row = 0; row <= deepest; row++) bandOf.push(band);
    first += deepest + 1;
  }
  return { rowOf, rows: first, bandOf };
}

/** Sweeps down and up, each spot to the middle of its neighbours, and keeps the order with the fewest crossings. */
function order(rows: Spot[][]): void {
  let best = { crossings: Infinity, rows: rows.map((row) => [...row]) };
  for (let sweep = 0; sweep < 24; sweep++) {
    const down = sweep % 2 === 0;
    for (const row of down ? rows : rows.toReversed()) {
      const others = rows[(row[0]?.row ?? 0) + (down ? -1 : 1)] ?? [];
      const middle = new Map(row.map((spot, index) => {
        const places = (down ? spot.above : spot.below).map((other) => others.indexOf(other));
        return [spot, places.length === 0 ? index : mean(places)];
      }));
      row.sort((a, b) => (middle.get(a) ?? 0) - (middle.get(b) ?? 0));
    }
    const crossings = countCrossings(rows);
    if (crossings < best.crossings) best = { crossings, rows: rows.map((row) => [...row]) };
  }
  for (const [index, row] of best.rows.entries()) rows[index] = row;
}

function countCrossings(rows: readonly Spot[][]): number {
  let crossings = 0;
  for (const [index, row] of rows.entries()) {
    const below = rows[index + 1] ?? [];
    const lines = row.flatMap((spot, from) =>
      spot.below.map((other) => ({ from, to: below.indexOf(other) }))
    );
    for (const a of lines) {
      for (const b of lines) if (a.from < b.from && a.to > b.to) crossings++;
    }
  }
  return crossings;
}

/** Gives every spot its `x`: near its neighbours, apart from those beside it. Returns the width of all. */
function place(rows: readonly Spot[][]): number {
  for (const row of rows) pushApart(row, row.map(() => 0));
  for (let round = 0; round < 200; round++) {
    for (const row of round % 2 === 0 ? rows : rows.toReversed()) {
      pushApart(
        row,
        row.map((spot) => {
          const near = [...spot.above, ...spot.below].map(({ x }) => x);
          return near.length === 0 ? spot.x : (spot.x + mean(near)) / 2;
        }),
      );
    }
  }
  const all = rows.flat();
  const left = Math.min(...all.map(({ x, width }) => x - width / 2));
  for (const spot of all) spot.x = Math.round(spot.x - left + SIDE);
  return Math.ceil(Math.max(...all.map(({ x, width }) => x + width / 2)) + SIDE);
}

/** Takes the wished places, and moves what would overlap: half of the way from the left, half from the right. */
function pushApart(row: readonly Spot[], wished: readonly number[]): void {
  const apart = (a: Spot | undefined, b: Spot | undefined): number =>
    a === undefined || b === undefined ? -Infinity : (a.width + b.width) / 2 + GAP;
  const fromLeft = [...wished];
  const fromRight = [...wished];
  for (let i = 1; i < row.length; i++) {
    fromLeft[i] = Math.max(wished[i] ?? 0, (fromLeft[i - 1] ?? 0) + apart(row[i - 1], row[i]));
  }
  for (let i = row.length - 2; i >= 0; i--) {
    fromRight[i] = Math.min(wished[i] ?? 0, (fromRight[i + 1] ?? 0) - apart(row[i], row[i + 1]));
  }
  for (const [i, spot] of row.entries()) spot.x = ((fromLeft[i] ?? 0) + (fromRight[i] ?? 0)) / 2;
}

/** From the lower edge of the first box to the upper edge of the last; arrows of one box stand side by side. */
function pointsOf(way: readonly Spot[], yOf: (row: number) => number): readonly Point[] {
  return way.flatMap((spot, index) => {
    const [before, after] = [way[index - 1], way[index + 1]];
    const [top, bottom] = [yOf(spot.row), yOf(spot.row) + BOX_HEIGHT];
    if (before === undefined && after !== undefined) {
      return [{ x: portOf(spot, spot.below, after), y: bottom }];
    }
    if (after === undefined && before !== undefined) {
      return [{ x: portOf(spot, spot.above, before), y: top }];
    }
    return [{ x: spot.x, y: top }, { x: spot.x, y: bottom }];
  });
}

function portOf(spot: Spot, neighbours: readonly Spot[], neighbour: Spot): number {
  const index = neighbours.toSorted((a, b) => a.x - b.x).indexOf(neighbour);
  const step = Math.min(22, (spot.width - 16) / neighbours.length);
  return Math.round(spot.x + (index - (neighbours.length - 1) / 2) * step);
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
