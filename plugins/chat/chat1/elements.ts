/**
 * Interactive elements of messages and views, and their values.
 * https://docs.slack.dev/reference/block-kit/block-elements
 */
import { compact } from "../../../core/compact.ts";
import { isJsonObject } from "../../../core/codec/json_lenient.ts";
import type { ElementKind } from "./element_kinds.ts";
import { ELEMENT_KINDS } from "./element_kinds.ts";

type Json = Readonly<Record<string, unknown>>;

/** An interactive element. */
export interface Element {
  readonly type: string;
  readonly action_id: string;
  readonly block_id: string;
  /** Text of a button, or label of an input. */
  readonly label: string;
  /** As sent. */
  readonly json: Json;
  /** Kind of its value; absent for a button. */
  readonly kind?: ElementKind;
  /** Whether it is in an input block, whose values are sent with the submission. */
  readonly isInput: boolean;
  /** Whether the app is called at once when a user changes or presses it. */
  readonly acts: boolean;
  /** Whether a modal cannot be submitted without a value. */
  readonly isRequired: boolean;
}

/** Values of elements, as the app receives them in `state`. */
export type StateValues = Record<string, Record<string, Json>>;

/**
 * Returns the blocks, with generated ids for blocks and elements without one, as the vendor does.
 */
export function nameBlocks(blocks: unknown): readonly Json[] {
  if (!Array.isArray(blocks)) return [];
  return blocks.filter(isJsonObject).map((block, index) => {
    const named = (element: unknown, at: number): unknown =>
      isJsonObject(element) && (element.type === "button" || kindOf(element) !== undefined)
        ? { ...element, action_id: nameOf(element.action_id, `a${at}`) }
        : element;
    const { accessory, element, elements } = block;
    return {
      ...block,
      block_id: nameOf(block.block_id, `b${index}`),
      ...compact({
        accessory: accessory === undefined ? undefined : named(accessory, 0),
        element: element === undefined ? undefined : named(element, 0),
        elements: Array.isArray(elements) ? elements.map(named) : elements,
      }),
    };
  });
}

function nameOf(given: unknown, usual: string): string {
  return typeof given === "string" && given !== "" ? given : usual;
}

function kindOf({ type }: Json): ElementKind | undefined {
  return typeof type === "string" && Object.hasOwn(ELEMENT_KINDS, type)
    ? ELEMENT_KINDS[type]
    : undefined;
}

/** Returns the elements of blocks in order: in actions, beside sections, and in inputs. */
export function elementsOf(blocks: readonly Json[]): readonly Element[] {
  return blocks.flatMap((block) => {
    switch (block.type) {
      case "actions":
        return Array.isArray(block.elements)
          ? block.elements.flatMap((element) => toElement(element, block))
          : [];
      case "section":
        return toElement(block.accessory, block);
      case "input":
        return toElement(block.element, block);
      default:
        return [];
    }
  });
}

function toElement(json: unknown, block: Json): readonly Element[] {
  if (!isJsonObject(json) || typeof json.type !== "string") return [];
  const kind = kindOf(json);
  if (kind === undefined && json.type !== "button") return [];
  const isInput = block.type === "input";
  const action_id = String(json.action_id);
  return [{
    type: json.type,
    action_id,
    block_id: String(block.block_id),
    label: labelOf(json, block) || action_id,
    json,
    ...compact({ kind }),
    isInput,
    acts: !isInput || block.dispatch_action === true,
    isRequired: isInput && block.optional !== true,
  }];
}

function labelOf(json: Json, { label, text }: Json): string {
  if (json.type === "button") return textIn(json.text) || "button";
  return textIn(label) || textIn(json.placeholder) || textIn(text);
}

/** Returns the text of a text object. */
export function textIn(value: unknown): string {
  return isJsonObject(value) && typeof value.text === "string" ? value.text : "";
}

/**
 * Returns the name of an element in a request: its `action_id`, with its block if others have the
 * same one.
 */
export function keyOf({ action_id, block_id }: Element, all: readonly Element[]): string {
  const isAlone = all.filter((one) => one.action_id === action_id).length === 1;
  return isAlone ? action_id : `${block_id}/${action_id}`;
}

/**
 * Returns the element with this name, as from `keyOf()`, or in the block with this id if that has
 * one element.
 */
export function findElement(all: readonly Element[], key: string): Element {
  const inBlock = all.filter(({ block_id }) => block_id === key);
  const found = all.find((one) => keyOf(one, all) === key) ??
    all.find((one) => `${one.block_id}/${one.action_id}` === key) ??
    (inBlock.length === 1 ? inBlock[0] : undefined);
  if (found !== undefined) return found;
  const known = all.map((one) => keyOf(one, all)).join(", ");
  throw new RangeError(
    known === ""
      ? `Cannot find element "${key}": there are no elements`
      : `Cannot find element "${key}": expected one of ${known}`,
  );
}

/**
 * Returns the state of all elements: given values, else initial ones. Throws `RangeError` for an
 * unknown element or an invalid value.
 */
export function stateOf(
  all: readonly Element[],
  given: Readonly<Record<string, unknown>>,
): StateValues {
  const fillable = all.filter(({ kind }) => kind !== undefined && !kind.isMomentary);
  const values = new Map(
    Object.entries(given).map(([key, value]) => [findElement(fillable, key), value]),
  );
  const state: StateValues = withoutPrototype();
  for (const element of fillable) {
    const { type, block_id, action_id, kind, json } = element;
    const filled = values.has(element)
      ? valueOf(element, values.get(element))
      : kind!.initial(json);
    (state[block_id] ??= withoutPrototype())[action_id] = { type, ...filled };
  }
  return state;
}

/** The app chooses ids, which may be `__proto__`. */
function withoutPrototype<T>(): Record<string, T> {
  return Object.create(null);
}

/** Returns an element's value in the vendor's form. Throws `RangeError` for an invalid one. */
export function valueOf({ kind, json, label }: Element, value: unknown): Json {
  try {
    return kind!.read(value ?? null, json);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new RangeError(`Cannot fill in "${label}": ${error.message}`);
  }
}

/** Returns whether a state has no value for an element. */
export function isEmpty(
  { block_id, action_id }: Element,
  state: StateValues,
): boolean {
  const { type: _type, ...value } = state[block_id]?.[action_id] ?? {};
  return Object.values(value).every((one) =>
    one === null || one === "" || (Array.isArray(one) && one.length === 0)
  );
}

/** Returns the JSON Schema of an element's value in a request. */
export function schemaOf({ kind, json, label }: Element): Json {
  const usual = kind!.plain(kind!.initial(json));
  return { title: label, ...kind!.schema(json), ...compact({ default: usual }) };
}
