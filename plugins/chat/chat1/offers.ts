/** Actions that a user can take on a message or view. */
import type { CallbackPreset } from "../../../core/plugin.ts";
import type { Context } from "./app_calls.ts";
import { type Element, elementsOf, keyOf, schemaOf, textIn } from "./elements.ts";
import { blocksOf, canSubmit, type ChatEvent, reasonGone, viewOf } from "./shown.ts";
import { isExternal, withOffered } from "./suggestions.ts";

/** Maximum number of offered elements. */
const MAX_OFFERS = 25;

/** Description of the parameter for one value. */
export const VALUE_ABOUT =
  "Text, value of an option, date or time; a list if several can be chosen; null for nothing";

/** Description of the parameter with the text typed into a menu. */
export const QUERY_ABOUT = "Text that the user typed into the menu";

/** Returns a form for the values of elements, if there are any. */
function fieldsOf(
  all: readonly Element[],
  { inputsOnly = false } = {},
): Exclude<CallbackPreset["asks"], undefined> {
  const fillable = all.filter(({ kind, isInput }) =>
    kind !== undefined && !kind.isMomentary && (isInput || !inputsOnly)
  );
  if (fillable.length === 0) return {};
  const properties = Object.fromEntries(
    fillable.map((element) => [keyOf(element, all), schemaOf(element)]),
  );
  return { values: { about: VALUES_ABOUT, schema: { type: "object", properties } } };
}

/** Description of the parameter for several values. */
export const VALUES_ABOUT =
  "Values of the elements, by their action_id; by default the initial ones";

/** Returns the actions that a user can take on an event. */
export function offersFor(event: ChatEvent, context: Context): readonly CallbackPreset[] {
  const view = viewOf(event, context);
  if (view !== undefined && reasonGone(view, context) !== undefined) return [];
  const all = withOffered(elementsOf(blocksOf(event, view)), event.id, context);
  const offers = all.filter(({ acts }) => acts).slice(0, MAX_OFFERS).map((element) => {
    const { kind, label } = element;
    const name = { action_id: keyOf(element, all) };
    if (kind === undefined) {
      // A message has no other button that submits inputs.
      const asks = view === undefined ? fieldsOf(all, { inputsOnly: true }) : {};
      return { event: "press", label: `Press “${label}”`, with: name, asks };
    }
    const asks = { value: { about: VALUE_ABOUT, schema: schemaOf(element) } };
    return { event: "choose", label: `Fill in “${label}”`, with: name, asks };
  });
  const lookUps = all.filter(isExternal).slice(0, MAX_OFFERS).map((element) => ({
    event: "suggest",
    label: `Look up in “${element.label}”`,
    with: { action_id: keyOf(element, all) },
    asks: { value: { about: QUERY_ABOUT, schema: { title: "Text", type: "string" } } },
  }));
  if (view?.json.type !== "modal") return [...offers, ...lookUps];
  const { submit, close, title } = view.json;
  const submission = {
    event: "submit",
    label: `Submit “${textIn(submit) || textIn(title)}”`,
    with: {},
    asks: fieldsOf(all),
  };
  const word = textIn(close);
  const closing = { event: "close", label: word === "" ? "Close" : `Close “${word}”`, with: {} };
  return [...(canSubmit(view, all) ? [submission] : []), closing, ...offers, ...lookUps];
}
