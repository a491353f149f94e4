/** Rules of Slack for the blocks of a message together, for tables and for charts. */
import { MAX_CELLS, MAX_FIELD, MAX_ID } from "./block_limits.ts";
import { lengthOf, type Placed } from "./walk.ts";

/** A rule that a value breaks. */
export interface Broken {
  readonly message: string;
  readonly path: string;
  /** Last part of the address of the vendor's page. */
  readonly page: string;
}

type Json = Readonly<Record<string, unknown>>;

/** Blocks by type, and the surfaces that have them; `file` blocks are only in messages that Slack returns. */
const TYPES: ReadonlyMap<string, "both" | "message" | "view" | "none"> = new Map([
  ...["actions", "context", "divider", "header", "image", "input", "rich_text", "section", "video"]
    .map((type) => [type, "both"] as const),
  ...["card", "carousel", "container", "context_actions", "data_table", "data_visualization"]
    .map((type) => [type, "message"] as const),
  ...["markdown", "plan", "table", "task_card"].map((type) => [type, "message"] as const),
  ["alert", "view"],
  ["file", "none"],
]);

/** Returns why a block cannot be in a message, or in a view. */
export function misplaced(type: unknown, surface: "message" | "view"): string | undefined {
  if (typeof type !== "string") return "A block needs a type";
  const where = TYPES.get(type);
  if (where === undefined) return `The reference has no block ${JSON.stringify(type.slice(0, 60))}`;
  if (where === "none") return "Slack adds file blocks itself; apps cannot send them";
  // Views have more blocks with every release, so only those of messages are certain.
  return where === "view" && surface === "message"
    ? "Messages have no alert blocks; they are for modals"
    : undefined;
}

/** Most characters of all Markdown blocks, charts and tables of a message. */
const MAX_MARKDOWN = 12_000;
const MAX_CHARTS = 2;
const MAX_TABLES = 1;

/** Counts blocks of a message that are limited together. */
export class Together {
  #markdown = 0;
  #charts = 0;
  #tables = 0;

  /** Adds a block; yields the limit when it is exceeded for the first time. */
  *add({ value: { type, text }, path }: Placed): Generator<Broken> {
    if (type === "markdown") {
      const before = this.#markdown;
      const length = lengthOf(text);
      this.#markdown += length;
      // A single one that is too long has a finding of its own.
      if (before <= MAX_MARKDOWN && this.#markdown > MAX_MARKDOWN && length <= MAX_MARKDOWN) {
        yield {
          message:
            `${this.#markdown} characters in all Markdown blocks so far; at most ${MAX_MARKDOWN}`,
          path: `${path}.text`,
          page: "blocks/markdown-block",
        };
      }
    }
    if (type === "data_visualization" && ++this.#charts === MAX_CHARTS + 1) {
      yield {
        message: `More than ${MAX_CHARTS} charts in a message`,
        path,
        page: "blocks/data-visualization-block",
      };
    }
    if ((type === "table" || type === "data_table") && ++this.#tables === MAX_TABLES + 1) {
      yield { message: "More than one table in a message", path, page: "blocks/table-block" };
    }
  }
}

/** Most characters in the cells of a data table. */
const MAX_TABLE_TEXT = 10_000;
const MAX_PAGE = 100;

/** Smallest and largest numbers of inputs. */
const RANGES = ([
  ["file_input", "max_files", 1, 10],
  ["plain_text_input", "min_length", 0, 3000],
  ["rich_text_input", "min_lines", 1, 100],
  ["rich_text_input", "max_lines", 1, 100],
] as const).map(([of, member, least, most]) => ({
  of,
  member,
  range: [least, most] as const,
  page: `block-elements/${of.replaceAll("_", "-")}-element`,
}));

/** Yields the rules of one block or element that a value breaks. */
export function* brokenRules({ value, path }: Placed): Generator<Broken> {
  const { type } = value;
  if (type === "table" || type === "data_table") yield* ofRows(value, path);
  if (type === "data_table") yield* ofDataTable(value, path);
  if (type === "data_visualization") yield* ofChart(value.chart, `${path}.chart`);
  if (type === "section") yield* ofSection(value, path);
  for (const { of, member, range, page } of RANGES) {
    if (of === type) yield* between(value, { path, member, range, page });
  }
  for (const name of ["block_id", "action_id"]) {
    const length = lengthOf(value[name]);
    if (length <= MAX_ID) continue;
    yield {
      message: `${length} characters; at most ${MAX_ID}`,
      path: `${path}.${name}`,
      page: "blocks",
    };
  }
}

function* ofSection({ text, fields }: Json, path: string): Generator<Broken> {
  const page = "blocks/section-block";
  const list: readonly unknown[] = Array.isArray(fields) ? fields : [];
  if (text === undefined && list.length === 0) {
    yield { message: "A section needs text or fields", path, page };
  }
  for (const [at, field] of list.entries()) {
    const length = lengthOf(field);
    if (length <= MAX_FIELD) continue;
    yield {
      message: `${length} characters; at most ${MAX_FIELD}`,
      path: `${path}.fields[${at}]`,
      page,
    };
  }
}

function* ofRows({ type, rows }: Json, path: string): Generator<Broken> {
  const page = type === "table" ? "blocks/table-block" : "blocks/data-table-block";
  for (const [at, row] of (Array.isArray(rows) ? rows : []).entries()) {
    const length = Array.isArray(row) ? row.length : 0;
    if (length <= MAX_CELLS) continue;
    yield { message: `${length} entries; at most ${MAX_CELLS}`, path: `${path}.rows[${at}]`, page };
  }
}

function* ofDataTable(value: Json, path: string): Generator<Broken> {
  const page = "blocks/data-table-block";
  const rows: readonly unknown[] = Array.isArray(value.rows) ? value.rows : [];
  if (lengthOf(value.caption) === 0) {
    yield { message: "A data table needs a caption", path: `${path}.caption`, page };
  }
  if (rows.length < 2) {
    yield {
      message: `${rows.length} rows; expected a header and at least one more`,
      path: `${path}.rows`,
      page,
    };
  }
  const widths = rows.map((row) => Array.isArray(row) ? row.length : 0);
  const uneven = widths.findIndex((width) => width !== widths[0]);
  if (uneven > 0) {
    yield {
      message: `${widths[uneven]} cells; the header has ${widths[0]}`,
      path: `${path}.rows[${uneven}]`,
      page,
    };
  }
  const [header] = rows;
  const rich = Array.isArray(header)
    ? header.findIndex((cell) => (cell as Json | null)?.type === "rich_text")
    : -1;
  if (rich >= 0) {
    yield {
      message: "A cell of the header cannot be rich text",
      path: `${path}.rows[0][${rich}]`,
      page,
    };
  }
  const characters = rows.flat().reduce<number>((sum, cell) => sum + lengthOf(cell), 0);
  if (characters > MAX_TABLE_TEXT) {
    yield {
      message: `${characters} characters in all cells; at most ${MAX_TABLE_TEXT}`,
      path: `${path}.rows`,
      page,
    };
  }
  yield* between(value, { path, member: "page_size", range: [1, MAX_PAGE], page });
}

function* ofChart(json: unknown, path: string): Generator<Broken> {
  const { type, series, segments, axis_config: axis } = (json ?? {}) as Json;
  const page = "blocks/data-visualization-block";
  const broken = (message: string, at: string): Broken => ({ message, path: `${path}${at}`, page });
  if (typeof type !== "string" || !["pie", "bar", "area", "line"].includes(type)) {
    return yield broken("A chart must be of type pie, bar, area or line", ".type");
  }
  const parts: readonly Json[] = [type === "pie" ? segments : series].flat().filter((one) =>
    typeof one === "object" && one !== null
  ) as Json[];
  if (parts.length === 0) {
    return yield broken(`A ${type} chart needs ${type === "pie" ? "segments" : "series"}`, "");
  }
  if (type === "pie") {
    for (const [at, { value }] of parts.entries()) {
      if (typeof value !== "object" && Number(value) > 0) continue;
      yield broken("The value of a segment must be positive", `.segments[${at}].value`);
    }
    return;
  }
  const categories: readonly unknown[] = [(axis as Json | undefined)?.categories ?? []].flat();
  const names = new Set<unknown>();
  for (const [at, { name, data }] of parts.entries()) {
    if (names.has(name)) yield broken("Two series have the same name", `.series[${at}].name`);
    names.add(name);
    const labels = (Array.isArray(data) ? data : []).map((one: Json | null) => one?.label);
    const isWhole = labels.length === categories.length &&
      categories.every((one) => labels.includes(one));
    if (isWhole) continue;
    yield broken("A series needs one value for each category of the axis", `.series[${at}].data`);
  }
}

function* between(
  value: Json,
  { path, member, range: [least, most], page }: {
    readonly path: string;
    readonly member: string;
    readonly range: readonly [number, number];
    readonly page: string;
  },
): Generator<Broken> {
  const given = value[member];
  if (given === undefined) return;
  if (Number.isInteger(given) && Number(given) >= least && Number(given) <= most) return;
  yield {
    message: `${JSON.stringify(given)}; expected ${least} to ${most}`,
    path: `${path}.${member}`,
    page,
  };
}
