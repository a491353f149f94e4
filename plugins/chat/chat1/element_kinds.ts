/**
 * Kinds of interactive elements: how a user fills them in, and how the app receives their values.
 */
import { isJsonObject } from "../../../core/codec/json_lenient.ts";

type Json = Readonly<Record<string, unknown>>;

/** One kind of element. */
export interface ElementKind {
  /** Whether it keeps no value, such as an overflow menu. */
  readonly isMomentary?: true;
  /** Returns the state for a requested value; `null` clears it. Throws `RangeError`. */
  read(value: unknown, json: Json): Json;
  /** Returns the initial state. */
  initial(json: Json): Json;
  /** Returns the value that a request would give for a state; `undefined` for none. */
  plain(state: Json): unknown;
  /** Returns the JSON Schema of the value in a request. */
  schema(json: Json): Json;
}

/** One text. */
function textKind(
  { member = "value", initial = "initial_value", schema = {}, check = () => {} }: {
    readonly member?: string;
    readonly initial?: string;
    readonly schema?: Json | ((json: Json) => Json);
    readonly check?: (text: string, json: Json) => void;
  } = {},
): ElementKind {
  return {
    read(value, json) {
      if (value === null || value === "") return { [member]: null };
      if (typeof value !== "string") throw new RangeError("expected text");
      check(value, json);
      return { [member]: value };
    },
    initial: (json) => ({ [member]: json[initial] ?? null }),
    plain: (state) => state[member] ?? undefined,
    schema: (json) => ({
      type: "string",
      ...(typeof schema === "function" ? schema(json) : schema),
    }),
  };
}

/** Several texts. */
function textsKind(what: string): ElementKind {
  const member = `selected_${what}`;
  return {
    read: (value) => ({ [member]: readTexts(value) }),
    initial: (json) => ({ [member]: json[`initial_${what}`] ?? [] }),
    plain: (state) => plainList(state[member]),
    schema: () => ({ type: "array", items: { type: "string" } }),
  };
}

function readTexts(value: unknown): readonly string[] {
  if (value === null) return [];
  const texts = Array.isArray(value) ? value : [value];
  if (texts.every((one) => typeof one === "string")) return texts;
  throw new RangeError("expected a list of strings");
}

function plainList(list: unknown): unknown {
  return Array.isArray(list) && list.length > 0 ? list : undefined;
}

/** One option; options of an external source are created from their values. */
function optionKind({ isMomentary = false, isExternal = false } = {}): ElementKind {
  return {
    ...(isMomentary && { isMomentary }),
    read(value, json) {
      if (value === null || value === "") return { selected_option: null };
      if (typeof value !== "string") throw new RangeError("expected the value of an option");
      return { selected_option: findOption(json, value, isExternal) };
    },
    initial: (json) => ({ selected_option: json.initial_option ?? null }),
    plain: ({ selected_option: option }) => isJsonObject(option) ? option.value : undefined,
    schema: (json) => ({ type: "string", ...choiceSchema(json, isExternal) }),
  };
}

/** Several options. */
function optionsKind({ isExternal = false } = {}): ElementKind {
  return {
    read(value, json) {
      const chosen = readTexts(value);
      const { max_selected_items: most } = json;
      if (typeof most === "number" && chosen.length > most) {
        throw new RangeError(`expected at most ${most} options`);
      }
      const options = chosen.map((one) => findOption(json, one, isExternal));
      return { selected_options: options };
    },
    initial: (json) => ({ selected_options: json.initial_options ?? [] }),
    plain: ({ selected_options: options }) =>
      Array.isArray(options)
        ? plainList(options.filter(isJsonObject).map(({ value }) => value))
        : undefined,
    schema: (json) => ({
      type: "array",
      items: { type: "string", ...choiceSchema(json, isExternal) },
    }),
  };
}

/** Options of the element, and of its option groups. */
function allOptions({ options, option_groups }: Json): readonly Json[] {
  const groups = Array.isArray(option_groups) ? option_groups.filter(isJsonObject) : [];
  const lists = [options, ...groups.map((group) => group.options)];
  return lists.flatMap((list) => Array.isArray(list) ? list.filter(isJsonObject) : []);
}

/** The choices; without any, an external source takes every text. */
function choiceSchema(json: Json, isExternal: boolean): Json {
  const oneOf = choicesOf(json);
  return isExternal && oneOf.length === 0 ? {} : { oneOf };
}

function choicesOf(json: Json): readonly Json[] {
  return allOptions(json).map(({ value, text }) => ({
    const: value,
    title: isJsonObject(text) ? text.text : value,
  }));
}

function findOption(json: Json, value: string, isExternal: boolean): Json {
  const all = allOptions(json);
  const found = all.find((option) => option.value === value);
  if (found !== undefined) return found;
  if (isExternal) return toOption(value);
  const known = all.map((option) => option.value).join(", ");
  throw new RangeError(`"${value}" is not an option; expected one of ${known}`);
}

function toOption(value: string): Json {
  return { text: { type: "plain_text", text: value, emoji: true }, value };
}

/** Checks the limits of the element, as the vendor's own client does. */
function checkLength(text: string, { min_length, max_length }: Json): void {
  const least = typeof min_length === "number" ? min_length : 0;
  const most = typeof max_length === "number" ? max_length : 3000;
  const { length } = [...text];
  if (length >= least && length <= most) return;
  throw new RangeError(`expected ${least} to ${most} characters, not ${length}`);
}

function checkNumber(text: string, { is_decimal_allowed, min_value, max_value }: Json): void {
  const form = is_decimal_allowed === true ? /^-?\d+(\.\d+)?$/ : /^-?\d+$/;
  const least = min_value === undefined ? -Infinity : Number(min_value);
  const most = max_value === undefined ? Infinity : Number(max_value);
  if (form.test(text) && Number(text) >= least && Number(text) <= most) return;
  const kind = is_decimal_allowed === true ? "a number" : "an integer";
  const range = [
    ...(min_value === undefined ? [] : [`from ${least}`]),
    ...(max_value === undefined ? [] : [`to ${most}`]),
  ];
  throw new RangeError(`expected ${[kind, ...range].join(" ")}, not "${text}"`);
}

function matches(form: RegExp, expected: string): (text: string) => void {
  return (text) => {
    if (!form.test(text)) throw new RangeError(`expected ${expected}, not "${text}"`);
  };
}

function checkDate(text: string): void {
  const isDate = /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(`${text}T00:00:00Z`));
  if (!isDate) throw new RangeError(`expected a date such as 2026-01-31, not "${text}"`);
}

/** Unix seconds; a request may give a date-time, by default in UTC. */
const MOMENT: ElementKind = {
  read(value) {
    if (value === null || value === "") return { selected_date_time: null };
    const text = typeof value === "string" ? value : "";
    const zoned = /(Z|[+-]\d\d:\d\d)$/.test(text) ? text : `${text}Z`;
    const seconds = typeof value === "number" ? value : Math.floor(Date.parse(zoned) / 1000);
    if (Number.isInteger(seconds) && seconds >= 0 && seconds < 1e10) {
      return { selected_date_time: seconds };
    }
    throw new RangeError("expected Unix seconds, or a time such as 2026-01-31T12:00:00Z");
  },
  initial: (json) => ({ selected_date_time: json.initial_date_time ?? null }),
  plain: ({ selected_date_time: seconds }) => seconds ?? undefined,
  schema: () => ({ type: "string", format: "date-time" }),
};

/** https://docs.slack.dev/reference/block-kit/blocks/rich-text-block */
const RICH_TEXT: ElementKind = {
  read(value) {
    if (value === null || value === "") return { rich_text_value: null };
    if (typeof value !== "string") throw new RangeError("expected text");
    const elements = [{ type: "rich_text_section", elements: [{ type: "text", text: value }] }];
    return { rich_text_value: { type: "rich_text", elements } };
  },
  initial: (json) => ({ rich_text_value: json.initial_value ?? null }),
  plain: () => undefined,
  schema: () => ({ type: "string", format: "lines" }),
};

/** File objects, which `storeGivenFiles()` makes from the files in a request. */
const FILES: ElementKind = {
  read(value) {
    if (value === null) return { files: [] };
    if (Array.isArray(value) && value.every(isJsonObject)) return { files: value };
    throw new RangeError('expected files as {"filename": …, "content": base64}');
  },
  initial: () => ({ files: [] }),
  plain: () => undefined,
  schema: ({ max_files: most = 10 }) => ({
    type: "array",
    items: { type: "object", format: "file" },
    maxItems: most,
  }),
};

/** Kinds by element type. */
export const ELEMENT_KINDS: Readonly<Record<string, ElementKind>> = {
  plain_text_input: textKind({
    check: checkLength,
    schema: ({ multiline }) => multiline === true ? { format: "lines" } : {},
  }),
  email_text_input: textKind({ check: matches(/^[^\s@]+@[^\s@]+$/, "an email address") }),
  url_text_input: textKind({ check: matches(/^https?:\/\/\S+$/, "an address") }),
  number_input: textKind({ check: checkNumber }),
  rich_text_input: RICH_TEXT,
  static_select: optionKind(),
  external_select: optionKind({ isExternal: true }),
  radio_buttons: optionKind(),
  overflow: optionKind({ isMomentary: true }),
  multi_static_select: optionsKind(),
  multi_external_select: optionsKind({ isExternal: true }),
  checkboxes: optionsKind(),
  users_select: textKind({ member: "selected_user", initial: "initial_user" }),
  channels_select: textKind({ member: "selected_channel", initial: "initial_channel" }),
  conversations_select: textKind({
    member: "selected_conversation",
    initial: "initial_conversation",
  }),
  multi_users_select: textsKind("users"),
  multi_channels_select: textsKind("channels"),
  multi_conversations_select: textsKind("conversations"),
  datepicker: textKind({
    member: "selected_date",
    initial: "initial_date",
    schema: { format: "date" },
    check: checkDate,
  }),
  timepicker: textKind({
    member: "selected_time",
    initial: "initial_time",
    schema: { format: "time" },
    check: matches(/^([01]\d|2[0-3]):[0-5]\d$/, "a time such as 09:30"),
  }),
  datetimepicker: MOMENT,
  file_input: FILES,
};
