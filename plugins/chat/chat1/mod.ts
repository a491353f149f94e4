/**
 * Slack: incoming webhooks, and `chat.postMessage` of the Web API.
 *
 * @module
 */
import { type IngressCall, ingressProvider, type Refusal } from "../../../core/plugin.ts";
import type { ChatState } from "../capture.ts";
import { type Chat1Env, OPTIONS, refuseCall } from "./env.ts";
import { snippets } from "./snippets.ts";
import { postMessage, refuseUnknown, testApi, testAuth } from "./web_api.ts";
import { refuseWebhook, takeWebhook } from "./webhook.ts";

/** The first of the chat providers. */
export const chat1 = ingressProvider<ChatState, typeof OPTIONS>({
  id: "chat1",
  title: "Slack webhooks and Web API",
  shortTitle: "Slack",
  about: "Takes posts to incoming webhooks and to chat.postMessage as Slack does",
  vendorHosts: ["slack.com", "hooks.slack.com"],
  options: OPTIONS,
  routes: [
    {
      method: "POST",
      path: "/services/{team}/{bot}/{token}",
      about: "Post to an incoming webhook",
      handle: takeWebhook,
    },
    {
      method: "POST",
      path: "/api/chat.postMessage",
      about: "Post a message",
      handle: postMessage,
    },
    ...(["POST", "GET"] as const).flatMap((method) => [
      {
        method,
        path: "/api/auth.test",
        about: "Try a token",
        unlisted: method === "GET",
        handle: testAuth,
      },
      {
        method,
        path: "/api/api.test",
        about: "Try the connection",
        unlisted: method === "GET",
        handle: testApi,
      },
      {
        method,
        path: "/api/{method}",
        about: "Any other method: unknown, as the vendor says it",
        unlisted: true,
        handle: refuseUnknown,
      },
    ]),
  ],
  refuse,
  snippets,
});

function refuse(call: IngressCall, reason: Refusal, env: Chat1Env): Response {
  const allow: HeadersInit = reason.allow ? { allow: reason.allow.join(", ") } : {};
  if (reason.kind === "method_not_allowed") {
    return call.path.startsWith("/api/")
      ? Response.json({ ok: false, error: "method_not_allowed" }, { status: 405, headers: allow })
      : refuseWebhook(405, "method_not_allowed", allow);
  }
  if (reason.kind === "busy") {
    // https://docs.slack.dev/apis/web-api/rate-limits: what its clients know for "later".
    return call.path.startsWith("/api/")
      ? Response.json({ ok: false, error: "ratelimited" }, { status: 429 })
      : refuseWebhook(429, "rate_limited");
  }
  if (call.path.startsWith("/api/")) {
    const errors = {
      too_large: "msg_too_long",
      bad_encoding: "invalid_form_data",
      internal: "internal_error",
    };
    return refuseCall(env, errors[reason.kind]);
  }
  const errors = {
    too_large: "payload_too_large",
    bad_encoding: "invalid_payload",
    internal: "rollup_error",
  };
  return refuseWebhook(reason.status, errors[reason.kind]);
}
