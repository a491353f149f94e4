/**
 * Inputs of an `ActionCard`, and their values in the address and the body of its `HttpPOST` actions.
 * https://learn.microsoft.com/outlook/actionable-messages/message-card-reference#inputs
 */
import { isJsonObject } from "../../../core/codec/json_lenient.ts";
import { textOf } from "../../../core/options/suggest.ts";
import type { CallbackPreset } from "../../../core/plugin.ts";
import type { GivenValues } from "../value_options.ts";

type Json = Readonly<Record<string, unknown>>;

/** Maximum number of inputs that are read. */
const MAX_INPUTS = 25;
/** Maximum characters of a value. */
const MAX_VALUE = 10_000;
/** Maximum characters of an address or a body with its values: a card may refer to a long value many times. */
const MAX_SUBSTITUTED = 1_048_576;
/** Between the values of several choices: `choiceSetInputValueSeparator` of Microsoft's own renderer of cards. */
const SEPARATOR = ",";

/** An input of a card. */
export interface CardInput {
  readonly id: string;
  readonly kind: "TextInput" | "DateInput" | "MultichoiceInput";
  readonly json: Json;
}

const KINDS: readonly unknown[] = ["TextInput", "DateInput", "MultichoiceInput"];

/** Returns the inputs of an action card. */
export function inputsOf({ inputs }: Json): readonly CardInput[] {
  if (!Array.isArray(inputs)) return [];
  return inputs.filter(isJsonObject).flatMap((json): readonly CardInput[] => {
    const { id, "@type": kind } = json;
    return typeof id === "string" && id !== "" && KINDS.includes(kind)
      ? [{ id, kind: kind as CardInput["kind"], json }]
      : [];
  }).slice(0, MAX_INPUTS);
}

/** Returns a form for the inputs, if there are any. */
export function asksFor(
  inputs: readonly CardInput[],
  about: string,
): Exclude<CallbackPreset["asks"], undefined> {
  if (inputs.length === 0) return {};
  const properties = Object.fromEntries(inputs.map((input) => [input.id, schemaOf(input)]));
  return { values: { about, schema: { type: "object", properties } } };
}

function schemaOf({ id, kind, json }: CardInput): Json {
  const { title, value, isMultiline, includeTime, isMultiSelect } = json;
  const about = {
    title: typeof title === "string" && title !== "" ? title : id,
    ...(value === undefined ? {} : { default: textOf(value) }),
  };
  switch (kind) {
    case "TextInput":
      return { ...about, type: "string", ...(isMultiline === true ? { format: "lines" } : {}) };
    case "DateInput":
      return { ...about, type: "string", format: includeTime === true ? "date-time" : "date" };
    case "MultichoiceInput": {
      const oneOf = choicesOf(json).map(({ display, value }) => ({ const: value, title: display }));
      return isMultiSelect === true
        ? {
          ...about,
          ...(value === undefined ? {} : { default: textOf(value).split(SEPARATOR) }),
          type: "array",
          items: { type: "string", oneOf },
        }
        : { ...about, type: "string", oneOf };
    }
  }
}

function choicesOf({ choices }: Json): readonly { display: string; value: string }[] {
  if (!Array.isArray(choices)) return [];
  return choices.filter(isJsonObject).map(({ display, value }) => ({
    value: textOf(value),
    display: display === undefined ? textOf(value) : textOf(display),
  }));
}

/**
 * Returns the values of all inputs: what a user gives them, else their initial ones. Throws `RangeError` for an unknown
 * input, or a value that it cannot have.
 */
export function valuesOf(
  inputs: readonly CardInput[],
  given: GivenValues,
): ReadonlyMap<string, string> {
  const ids = inputs.map(({ id }) => id);
  const unknown = Object.keys(given).find((id) => !ids.includes(id));
  if (unknown !== undefined) {
    throw new RangeError(
      ids.length === 0
        ? `Cannot fill in "${unknown}": the button has no inputs`
        : `Cannot fill in "${unknown}": expected one of ${ids.join(", ")}`,
    );
  }
  return new Map(inputs.map((input) => {
    const { id, json: { value } } = input;
    const initial = value === undefined ? "" : textOf(value);
    return [id.toLowerCase(), Object.hasOwn(given, id) ? read(input, given[id]) : initial];
  }));
}

function read({ id, kind, json }: CardInput, value: unknown): string {
  const cannot = (why: string) => new RangeError(`Cannot fill in "${id}": ${why}`);
  const { maxLength, includeTime, isMultiSelect } = json;
  const many = kind === "MultichoiceInput" && isMultiSelect === true;
  const texts: readonly unknown[] = Array.isArray(value) && many ? value : [value ?? ""];
  if (!texts.every((one) => typeof one === "string")) {
    throw cannot(many ? "expected a list of strings" : "expected text");
  }
  const text = texts.join(SEPARATOR);
  const longest = typeof maxLength === "number" ? maxLength : MAX_VALUE;
  if (text.length > longest) throw cannot(`expected at most ${longest} characters`);
  if (text === "") return "";
  if (kind === "DateInput") {
    const form = includeTime === true
      ? /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)?$/
      : /^\d{4}-\d\d-\d\d$/;
    if (form.test(text) && !Number.isNaN(Date.parse(text))) return text;
    const example = includeTime === true ? "2026-01-31T12:00" : "2026-01-31";
    throw cannot(`expected a date such as ${example}, not "${text}"`);
  }
  if (kind === "MultichoiceInput") {
    const known = choicesOf(json).map((choice) => choice.value);
    const wrong = texts.find((one) => !known.includes(one));
    if (wrong !== undefined) {
      throw cannot(`"${wrong}" is not a choice; expected one of ${known.join(", ")}`);
    }
  }
  return text;
}

/** Form of a reference to an input; ids are the same in any case. */
const REFERENCE = /\{\{([^{}]+?)\.value\}\}/gi;

/**
 * Puts values in the place of `{{id.value}}`. The vendor's page does not say how special characters are written; its
 * renderer of cards escapes them for JSON and encodes them for forms and addresses (`StringWithSubstitutions` of
 * https://github.com/microsoft/AdaptiveCards). A reference to an unknown input stays as it is. Throws `RangeError` for
 * a result that is too long.
 */
export function substitute(
  text: string,
  values: ReadonlyMap<string, string>,
  contentType: string,
): string {
  let length = text.length;
  return text.replace(REFERENCE, (whole, id: string) => {
    const value = values.get(id.toLowerCase());
    if (value === undefined) return whole;
    const written = write(value, contentType);
    length += written.length - whole.length;
    if (length <= MAX_SUBSTITUTED) return written;
    throw new RangeError(
      `Cannot press the button: with its values the request has more than ${MAX_SUBSTITUTED} characters`,
    );
  });
}

function write(value: string, contentType: string): string {
  if (contentType === "application/json") return JSON.stringify(value).slice(1, -1);
  return contentType === "application/x-www-form-urlencoded"
    ? encodeURIComponent(value.toWellFormed())
    : value;
}

/** Returns the first required input without a value that a text refers to. */
export function missingIn(
  texts: readonly string[],
  inputs: readonly CardInput[],
  values: ReadonlyMap<string, string>,
): CardInput | undefined {
  const referred = new Set(
    texts.flatMap((text) => [...text.matchAll(REFERENCE)].map(([, id = ""]) => id.toLowerCase())),
  );
  return inputs.find(({ id, json }) =>
    json.isRequired === true && referred.has(id.toLowerCase()) &&
    values.get(id.toLowerCase()) === ""
  );
}
