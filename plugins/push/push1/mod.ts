/** push1: Firebase Cloud Messaging, HTTP v1. */
import { presentedCredentials } from "../../../core/http/auth.ts";
import { type IngressCall, ingressProvider, type Refusal } from "../../../core/plugin.ts";
import { capturePush, type PushState } from "../capture.ts";
import { OPTIONS, type Push1Env, refuse, withToken } from "./env.ts";
import { readSend } from "./message.ts";
import { changeSubscription, changeTopics, giveToken } from "./neighbours.ts";
import { answer, invalidArgument } from "./reply.ts";
import { snippets } from "./snippets.ts";

const SUBSCRIPTIONS = "/v1/projects/{project}/registrations/{token}/topicSubscriptions";

/** The first of the push gateways. */
export const push1 = ingressProvider<PushState, typeof OPTIONS>({
  id: "push1",
  title: "FCM HTTP v1",
  shortTitle: "FCM",
  about: "Takes POST /v1/projects/{project}/messages:send as Firebase Cloud Messaging does",
  vendorHosts: ["fcm.googleapis.com", "iid.googleapis.com", "oauth2.googleapis.com"],
  options: OPTIONS,
  routes: [
    {
      method: "POST",
      path: "/v1/projects/{project}/messages:send",
      about: "Send one message to a device, a topic or a condition",
      handle: withToken(send),
    },
    {
      method: "POST",
      path: SUBSCRIPTIONS,
      about: "Subscribe a device to a topic; answered, changes nothing",
      handle: withToken(changeSubscription),
    },
    {
      method: "DELETE",
      path: `${SUBSCRIPTIONS}/{topic}`,
      about: "Unsubscribe a device from a topic; answered, changes nothing",
      handle: withToken(changeSubscription),
    },
    {
      method: "POST",
      path: "/iid/v1:batchAdd",
      about: "Subscribe devices to a topic, the older call; answered, changes nothing",
      handle: withToken(changeTopics),
    },
    {
      method: "POST",
      path: "/iid/v1:batchRemove",
      about: "Unsubscribe devices from a topic, the older call; answered, changes nothing",
      handle: withToken(changeTopics),
    },
    {
      method: "POST",
      path: "/token",
      about: "Access token of a service account, when oauth_token is on",
      isOn: ({ oauth_token }) => oauth_token,
      handle: giveToken,
    },
  ],
  refuse: refuseCall,
  snippets,
});

function send(call: IngressCall, env: Push1Env): Response {
  const project = call.params.project ?? "";
  const request = readSend(call.body, call.headers.get("content-type"));
  if ("violations" in request) return refuse(env, invalidArgument(request.violations));
  const { draft, validateOnly, meta } = request;
  const nameOf = (id: string): string =>
    `projects/${project}/messages/${validateOnly ? "fake_message_id" : `0:${id}`}`;
  const event = capturePush(env, { ...draft, app: project }, {
    raw: call.raw,
    meta: {
      ...meta,
      ...(draft.alertSection === undefined ? {} : { alert_section: draft.alertSection }),
      ...(validateOnly ? { validate_only: true } : {}),
      ...presentedCredentials(call.headers),
    },
    metaFromId: (id) => ({ name: nameOf(id) }),
  });
  return answer({ name: nameOf(event.id) });
}

function refuseCall(_call: IngressCall, about: Refusal, env: Push1Env): Response {
  const statuses = {
    too_large: "INVALID_ARGUMENT",
    bad_encoding: "INVALID_ARGUMENT",
    method_not_allowed: "UNIMPLEMENTED",
    busy: "UNAVAILABLE",
    internal: "INTERNAL",
  };
  const fault = { code: about.status, message: about.message, status: statuses[about.kind] };
  return refuse(env, fault, about.allow ? { allow: about.allow.join(", ") } : {});
}
