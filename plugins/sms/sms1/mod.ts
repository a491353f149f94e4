/** Twilio: Programmable Messaging, REST version 2010-04-01; Verify and Lookup, version 2; messaging services, version 1. */
import { matchesSecret, readBasic } from "../../../core/http/auth.ts";
import { onDemand } from "../../../core/on_demand.ts";
import {
  type IngressCall,
  ingressProvider,
  type IngressRoute,
  type MaybePromise,
} from "../../../core/plugin.ts";
import type { SmsState } from "../capture.ts";
import { FAULTS } from "./faults.ts";
import { type Env, OPTIONS } from "./options.ts";
import {
  identify,
  notFound,
  REFUSALS,
  refuse,
  toVendorRefusal,
  type VendorRefusal,
} from "./reply.ts";
import { snippets } from "./snippets.ts";
import { type ServiceKind, Store } from "./store.ts";

const handler = onDemand(() => import("./handlers.ts"));

type Route = IngressRoute<typeof OPTIONS, SmsState, Store>;

const ACCOUNT = "/2010-04-01/Accounts/{account}";
const MESSAGES = `${ACCOUNT}/Messages`;
const MESSAGE = `${MESSAGES}/{sid}`;
const MEDIA = `${MESSAGE}/Media`;
const VERIFY = "/v2/Services/{service}";
const VERIFICATIONS = `${VERIFY}/Verifications`;

/** The provider of Twilio's message resource. */
export const sms1 = ingressProvider<SmsState, typeof OPTIONS, Store>({
  id: "sms1",
  title: "Twilio Programmable Messaging",
  shortTitle: "Twilio",
  about:
    "Accepts messages as Twilio's REST API does and lists them, sends and checks codes, and looks up numbers",
  vendorHosts: [
    "api.twilio.com",
    "verify.twilio.com",
    "lookups.twilio.com",
    "messaging.twilio.com",
  ],
  options: OPTIONS,
  routes: [
    ...operation("POST", MESSAGES, "Send a message", handler("createMessage")),
    ...operation("GET", MESSAGES, "List the account's messages", handler("listMessages")),
    ...operation("GET", MESSAGE, "Fetch a message", handler("fetchMessage")),
    ...operation("POST", MESSAGE, "Redact or cancel a message", handler("updateMessage")),
    ...operation("DELETE", MESSAGE, "Delete a message", handler("deleteMessage")),
    ...operation("GET", MEDIA, "List a message's media", handler("listMedia")),
    route(
      "GET",
      `${MEDIA}/{media}.json`,
      "Describe a media file of a message",
      handler("fetchMedia"),
    ),
    route(
      "GET",
      `${MEDIA}/{media}`,
      "Download a media file of a message",
      handler("getMediaBytes"),
    ),
    ...operation(
      "POST",
      `${MESSAGE}/Feedback`,
      "Confirm that a message arrived",
      handler("giveFeedback"),
    ),
    ...operation("GET", ACCOUNT, "Fetch the account", handler("fetchAccount")),
    route("POST", VERIFICATIONS, "Send a code", handler("startVerification")),
    route("GET", `${VERIFICATIONS}/{name}`, "Fetch a verification", handler("fetchVerification")),
    route("POST", `${VERIFICATIONS}/{name}`, "Approve or cancel it", handler("updateVerification")),
    route("POST", `${VERIFY}/VerificationCheck`, "Check a code", handler("checkVerification")),
    ...serviceRoutes("verify", "/v2/Services", "verify service"),
    ...serviceRoutes("messaging", "/v1/Services", "messaging service"),
    route("GET", "/v2/PhoneNumbers/{number}", "Look up a number", handler("lookUp")),
    ...(["GET", "POST", "DELETE"] as const).map((method) => ({
      ...route(method, `${ACCOUNT}/{rest...}`, "Not found, in the vendor's form", answerMissing),
      unlisted: true,
    })),
  ],
  open: () => new Store(),
  authorize(call, env) {
    const refusal = checkCredentials(call, env);
    if (refusal === undefined) return undefined;
    const asked = { "www-authenticate": 'Basic realm="Twilio API"' };
    return identify(refuse(refusal, refusal === REFUSALS.noCredentials ? asked : {}), env);
  },
  refuse: (_call, refusal, env) => identify(refuse(toVendorRefusal(refusal)), env),
  snippets,
  faults: FAULTS,
  callbacks: {
    webhook: "Status callbacks for messages without a StatusCallback",
    inbound: "Twilio's incoming messages; the TwiML in responses becomes messages",
    load: async () => (await import("./callbacks.ts")).CALLBACKS,
  },
});

function route(
  method: Route["method"],
  path: string,
  about: string,
  handle: (call: IngressCall, env: Env) => MaybePromise<Response>,
): Route {
  return {
    method,
    path,
    about,
    handle: async (call, env) => identify(await handle(call, env), env),
  };
}

function serviceRoutes(kind: ServiceKind, path: string, what: string): Route[] {
  const service = onDemand(async () => (await import("./handlers.ts")).servicesOf(kind));
  return [
    route("POST", path, `Create a ${what}`, service("create")),
    route("GET", path, `List the ${what}s`, service("list")),
    route("GET", `${path}/{service}`, `Fetch a ${what}`, service("fetch")),
    route("POST", `${path}/{service}`, `Change a ${what}`, service("update")),
    route("DELETE", `${path}/{service}`, `Delete a ${what}`, service("remove")),
  ];
}

/** With `.json`, as clients send it, and without it, for which the vendor would answer XML. */
function operation(...[method, path, about, handle]: Parameters<typeof route>): Route[] {
  return [
    route(method, `${path}.json`, about, handle),
    { ...route(method, path, about, handle), unlisted: true },
  ];
}

function answerMissing(call: IngressCall): Response {
  return refuse(notFound(call.path));
}

/** Account SID and token are checked only if both are set. */
function checkCredentials(call: IngressCall, env: Env): VendorRefusal | undefined {
  const { account_sid, auth_token } = env.values;
  if (account_sid === undefined || auth_token === undefined) {
    if (account_sid !== auth_token) warnHalfPinned(env);
    return undefined;
  }
  const authorization = call.headers.get("authorization");
  if (authorization === null) return REFUSALS.noCredentials;
  const given = readBasic(authorization);
  if (!matchesSecret(given?.username, account_sid)) return REFUSALS.wrongUser;
  if (!matchesSecret(given?.password, auth_token)) return REFUSALS.wrongToken;
  const { account } = call.params;
  return account !== undefined && account !== account_sid ? REFUSALS.wrongToken : undefined;
}

/** Warns once per service: one setting alone has no effect. */
function warnHalfPinned({ store, ctx }: Env): void {
  if (store.warned) return;
  store.warned = true;
  ctx.log.warn(
    "Accepting any credentials for sms1: they are checked only when account_sid and auth_token are both set",
  );
}
