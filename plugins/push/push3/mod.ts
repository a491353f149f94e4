/** push3: a web push service (RFC 8030) with VAPID (RFC 8292) and encrypted payloads (RFC 8291). */
import { onDemand } from "../../../core/on_demand.ts";
import { ingressProvider } from "../../../core/plugin.ts";
import type { PushState } from "../capture.ts";
import { FAULTS } from "./faults.ts";
import { OPTIONS } from "./options.ts";
import { toVendorRefusal } from "./refusals.ts";
import { refuse } from "./reply.ts";
import { snippets } from "./snippets.ts";
import { Store } from "./store.ts";

const handler = onDemand(() => import("./handlers.ts"));

/** Provider for web push. */
export const push3 = ingressProvider<PushState, typeof OPTIONS, Store>({
  id: "push3",
  title: "Web Push (RFC 8030)",
  shortTitle: "Web Push",
  about: "Accepts POST to the endpoint of a push subscription as the services of browsers do",
  vendorHosts: ["updates.push.services.mozilla.com"],
  options: OPTIONS,
  routes: [
    {
      method: "POST",
      path: "/wpush/v1/{token}",
      about: "Send one push to a subscription, as to Firefox",
      undecoded: true,
      handle: handler("send"),
    },
    {
      method: "POST",
      path: "/wpush/v2/{token}",
      about: "Send one push to a subscription that is bound to an application server's key",
      undecoded: true,
      handle: handler("send"),
    },
    {
      method: "POST",
      path: "/fcm/send/{token}",
      about: "Send one push to a subscription, as to Chrome",
      undecoded: true,
      handle: handler("send"),
    },
    {
      method: "POST",
      path: "/wp/{token}",
      about: "Send one push to a subscription, at the newer address of Chrome's service",
      undecoded: true,
      handle: handler("send"),
    },
    {
      method: "DELETE",
      path: "/m/{id}",
      about: "Cancel a push that was not delivered; the captured event stays",
      handle: handler("cancel"),
    },
    {
      method: "GET",
      path: "/receipts/{id}",
      about: "List the receipts of a push; always empty, because nothing is delivered",
      handle: handler("receipts"),
    },
  ],
  open: ({ ctx }) => new Store((id) => ctx.events.get(id) !== undefined, ctx.memory),
  refuse: (call, refusal, env) => refuse(toVendorRefusal(refusal), { call, env }),
  snippets,
  faults: FAULTS,
});
