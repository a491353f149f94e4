/** The response of an app to a submission: https://docs.slack.dev/surfaces/modals#updating_response */
import { WireError } from "../../../core/bytes/decoder.ts";
import { isJsonObject, parseJson } from "../../../core/codec/json_lenient.ts";
import type { AnswerOutcome, CapturedEvent } from "../../../core/plugin.ts";
import { Refused } from "../../../core/result.ts";
import { newId } from "./ids.ts";
import { keepView, MAX_STACKED, readView } from "./modals.ts";
import type { Env } from "./options.ts";
import { fail, type VendorRefusal } from "./refusals.ts";
import type { View } from "./store.ts";

const ACTIONS = ["errors", "update", "push", "clear"];

/**
 * What a response requests: to close the modal or all of them, to show a view, or nothing; and what a user would see.
 */
export type ViewAnswer =
  | { readonly action: "close" | "clear" }
  | { readonly action: "update" | "push"; readonly view: unknown }
  | { readonly action: "stay"; readonly outcome: string };

/** Reads a response. `inputs` has the labels of the modal's input blocks by id. */
export function readViewAnswer(
  body: Uint8Array,
  inputs: Readonly<Record<string, unknown>>,
): ViewAnswer {
  const given = parse(body);
  if (given === "") return { action: "close" };
  if (!isJsonObject(given)) return wrong("the response is not a JSON object");
  const { response_action: action, errors, view } = given;
  switch (action) {
    case undefined:
      return { action: "close" };
    case "clear":
      return { action };
    case "errors":
      return readErrors(errors, inputs);
    case "update":
    case "push":
      return { action, view };
    default:
      return wrong(`response_action is not one of ${ACTIONS.join(", ")}`);
  }
}

/** Applies a response to the modal. `inputs` has the labels of its input blocks by id. */
export function takeAnswer(
  { body, viewId, inputs }: {
    readonly body: Uint8Array;
    readonly viewId: string;
    readonly inputs: Readonly<Record<string, unknown>>;
  },
  env: Env,
): AnswerOutcome {
  const { store } = env;
  const view = store.findView(({ id }) => id === viewId);
  const answer = readViewAnswer(body, inputs);
  switch (answer.action) {
    case "close":
      store.closeView(viewId);
      return told("The modal is closed");
    case "clear":
      for (const { id } of view === undefined ? [] : store.stackOf(view.rootId)) {
        store.closeView(id);
      }
      store.closeView(viewId);
      return told("All modals are closed");
    case "update":
    case "push":
      return show(answer.action, { text: answer.view, viewId, view, body }, env);
    case "stay":
      return told(answer.outcome);
  }
}

function wrong(reason: string): ViewAnswer {
  return { action: "stay", outcome: `Slack would show an error: ${reason}` };
}

function told(outcome: string, events: readonly CapturedEvent[] = []): AnswerOutcome {
  return { outcome, events };
}

function parse(body: Uint8Array): unknown {
  const text = new TextDecoder().decode(body).trim();
  if (text === "") return "";
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof WireError) return undefined;
    throw error;
  }
}

function readErrors(errors: unknown, inputs: Readonly<Record<string, unknown>>): ViewAnswer {
  const isRead = isJsonObject(errors) && Object.keys(errors).length > 0 &&
    Object.values(errors).every((text) => typeof text === "string");
  if (!isRead) return wrong("expected errors with a string for each block");
  const unknown = Object.keys(errors).find((id) => !Object.hasOwn(inputs, id));
  if (unknown !== undefined) return wrong(`"${unknown}" is not the block_id of an input block`);
  const lines = Object.entries(errors).map(([id, text]) => `${inputs[id]}: ${text}`);
  return { action: "stay", outcome: `The modal stays open with errors: ${lines.join("; ")}` };
}

function show(
  action: "update" | "push",
  { text, viewId, view, body }: {
    readonly text: unknown;
    readonly viewId: string;
    readonly view: View | undefined;
    readonly body: Uint8Array;
  },
  env: Env,
): AnswerOutcome {
  const rootId = view?.rootId ?? viewId;
  const id = newId("V", env.ctx.uuid());
  const place = action === "update"
    ? view ?? { id: viewId, rootId }
    : { id, rootId, previousId: viewId };
  try {
    if (action === "push" && env.store.stackOf(rootId).length >= MAX_STACKED) {
      fail("push_limit_reached");
    }
    const given = readView(JSON.stringify(text ?? null));
    const { event } = keepView(given, place, env, {
      raw: { transport: "http", text: true, body },
      meta: { surface: "view_answer", response_action: action },
    });
    return told(action === "update" ? "The modal is updated" : "A modal opens on top", [event]);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    const { error: code, details = [] } = error.refusal as VendorRefusal;
    return told(`Slack would show an error: ${[code, ...details].join(", ")}`);
  }
}
