import { toLine } from "../../core/bytes/text.ts";
import type { CapturedEvent, NewEvent } from "../../core/events/event.ts";
import type { OptionSet } from "../../core/options/spec.ts";
import type { PluginState, ProviderEnv } from "../../core/plugin.ts";
import type { Answers } from "./answers.ts";
import type { WebhookRequest } from "./model.ts";

/** State of the webhook plugin, besides its events. */
export interface WebhookState extends PluginState {
  /** Scripted responses. */
  readonly answers: Answers;
}

/** Characters of the text in a summary. */
const SHOWN = 200;

/** Records a request as one `webhook.request` event. */
export function captureRequest(
  env: Pick<ProviderEnv<OptionSet, WebhookState>, "capture">,
  request: WebhookRequest,
  about: Pick<NewEvent, "raw" | "meta">,
): CapturedEvent<WebhookRequest> {
  return env.capture({
    type: "webhook.request",
    summary: `${request.method} ${request.name}: ${snippetOf(request)}`,
    summary_parts: toSummary(request),
    payload: request,
    ...about,
  });
}

/** Parts of the summary. */
export function toSummary(request: WebhookRequest): NonNullable<NewEvent["summary_parts"]> {
  return {
    from: request.method,
    to: [request.name],
    title: `${request.method} ${toLine(request.path)}`,
    snippet: snippetOf(request),
  };
}

function snippetOf({ text, parts, size, content_type }: WebhookRequest): string {
  if (text !== undefined) return toLine(text.slice(0, SHOWN));
  if (parts !== undefined) return parts.map(({ name, filename }) => filename ?? name).join(", ");
  return size === 0 ? "no body" : `${size} bytes of ${content_type ?? "no stated type"}`;
}
