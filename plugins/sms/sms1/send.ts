import { StoreFullError } from "../../../core/errors.ts";
import { presentedCredentials } from "../../../core/http/auth.ts";
import type { IngressCall } from "../../../core/plugin.ts";
import { captureSms, type SmsDraft } from "../capture.ts";
import type { SmsStatus } from "../schema.ts";
import { encodeMessageSid } from "./ids.ts";
import type { Env } from "./options.ts";
import { answer, REFUSALS, refuse, toMessage } from "./reply.ts";
import { readCreate, readFields } from "./request.ts";
import { readSchedule } from "./schedule.ts";

/** `POST Messages.json` */
export async function createMessage(call: IngressCall, env: Env): Promise<Response> {
  const form = await readFields(call);
  const request = form.ok ? readCreate(form.value) : form;
  if (!request.ok) return refuse(request.refusal);
  const { draft: given, meta } = request.value;
  const service = given.messaging_service;
  const asked = { type: meta.schedule_type, sendAt: meta.send_at, service };
  const schedule = readSchedule(asked, env.ctx.now());
  if (schedule === undefined) return refuse(REFUSALS.badTime);
  const draft = { ...given, status: initialStatus(given, schedule === "later") };
  try {
    const event = await captureSms(env, draft, {
      raw: call.raw,
      meta: {
        ...meta,
        account_sid: call.params.account ?? "",
        ...presentedCredentials(call.headers),
      },
      metaFromId: (id) => ({ sid: encodeMessageSid(id, draft.media.length > 0) }),
    });
    // A fault changes the delivery status only later.
    const { status } = event.payload;
    return answer({ ...toMessage(event, undefined, env.ctx.now()), status, error_code: null }, 201);
  } catch (error) {
    if (error instanceof StoreFullError) return refuse(REFUSALS.fullStore);
    throw error;
  }
}

/** https://www.twilio.com/docs/messaging/guides/outbound-message-status-in-status-callbacks */
function initialStatus({ messaging_service: service }: SmsDraft, waits: boolean): SmsStatus {
  if (waits) return "scheduled";
  return service === undefined ? "queued" : "accepted";
}
