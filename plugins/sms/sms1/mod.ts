/**
 * Twilio Programmable Messaging, REST version 2010-04-01.
 *
 * @module
 */
import {
  type IngressCall,
  ingressProvider,
  type IngressRoute,
  type Refusal,
} from "../../../core/plugin.ts";
import type { SmsState } from "../capture.ts";
import {
  identify,
  missing,
  OPTIONS,
  PROVIDER,
  refusal,
  type Sms1Handler,
  withCredentials,
} from "./env.ts";
import type { Fault } from "./fault.ts";
import { fetchMedia, getMediaBytes, listMedia } from "./media.ts";
import {
  createMessage,
  deleteMessage,
  fetchAccount,
  fetchMessage,
  giveFeedback,
  listMessages,
  updateMessage,
} from "./messages.ts";
import { snippets } from "./snippets.ts";

type Sms1Route = IngressRoute<typeof OPTIONS, SmsState>;

const ACCOUNT = "/2010-04-01/Accounts/{account}";
const MESSAGES = `${ACCOUNT}/Messages`;
const MESSAGE = `${MESSAGES}/{sid}`;
const MEDIA = `${MESSAGE}/Media`;

/** The provider that stands in for Twilio's message resource. */
export const sms1 = ingressProvider<SmsState, typeof OPTIONS>({
  id: PROVIDER,
  title: "Twilio Programmable Messaging",
  shortTitle: "Twilio",
  about: "Takes text and media messages as Twilio's REST API does, and lists what it took",
  vendorHosts: ["api.twilio.com"],
  options: OPTIONS,
  routes: [
    ...operation("POST", MESSAGES, "Send a message", createMessage),
    ...operation("GET", MESSAGES, "List the account's messages", listMessages),
    ...operation("GET", MESSAGE, "Fetch a message", fetchMessage),
    ...operation("POST", MESSAGE, "Redact or cancel a message", updateMessage),
    ...operation("DELETE", MESSAGE, "Delete a message", deleteMessage),
    ...operation("GET", MEDIA, "List a message's media", listMedia),
    route("GET", `${MEDIA}/{media}.json`, "Describe one of its media", fetchMedia),
    route("GET", `${MEDIA}/{media}`, "Download one of its media", getMediaBytes),
    ...operation("POST", `${MESSAGE}/Feedback`, "Confirm the arrival of a message", giveFeedback),
    ...operation("GET", ACCOUNT, "Fetch the account", fetchAccount),
    ...(["GET", "POST", "DELETE"] as const).map((method) => ({
      ...route(method, `${ACCOUNT}/{rest...}`, "Not found, as the vendor says it", answerMissing),
      unlisted: true,
    })),
  ],
  refuse: (_call, reason, env) =>
    identify(
      refusal(toFault(reason), reason.allow ? { allow: reason.allow.join(", ") } : {}),
      env,
    ),
  snippets,
});

function route(
  method: Sms1Route["method"],
  path: string,
  about: string,
  handle: Sms1Handler,
): Sms1Route {
  const checked = withCredentials(handle);
  return {
    method,
    path,
    about,
    handle: async (call, env) => identify(await checked(call, env), env),
  };
}

/** With the suffix that clients send, and without it, where the vendor would answer XML. */
function operation(...[method, path, about, handle]: Parameters<typeof route>): Sms1Route[] {
  return [
    route(method, `${path}.json`, about, handle),
    { ...route(method, path, about, handle), unlisted: true },
  ];
}

function answerMissing(call: IngressCall): Response {
  return refusal(missing(call).fault);
}

function toFault({ kind, status, message }: Refusal): Fault {
  const code = {
    too_large: 20001,
    method_not_allowed: 20004,
    bad_encoding: 20001,
    busy: 20429,
    internal: 20500,
  };
  return { status: kind === "busy" ? 429 : status, code: code[kind], message };
}
