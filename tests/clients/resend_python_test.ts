import { assert, assertEquals } from "@std/assert";
import type { CapturedEvent } from "../../core/events/event.ts";
import { mail } from "../../plugins/mail/mod.ts";
import type { MailMessage } from "../../plugins/mail/model.ts";
import { requirePython, runOk } from "../support/clients.ts";
import { startService } from "../support/service.ts";

interface Seen {
  readonly sent: string;
  readonly again: string;
  readonly batch: readonly string[];
  readonly [name: string]: unknown;
}

Deno.test("the resend package for Python makes every call and understands every answer", async (t) => {
  const python = await requirePython(t);
  if (python === undefined) return;
  await using service = await startService({ plugins: [mail] });
  const script = new URL("python/resend_calls.py", import.meta.url).pathname;
  const { stdout } = await runOk(python, [script, service.ingress.url], {
    env: { NO_PROXY: "*" },
  });
  const { sent, again, batch, ...seen } = JSON.parse(stdout) as Seen;
  assertEquals(again, sent);
  assertEquals(batch.length, 1);
  assert(batch[0] !== sent);
  assertEquals(seen, {
    batch_errors: [{
      index: 1,
      message: "Invalid `to` field. The email address needs to follow the `email@example.com` " +
        "or `Name <email@example.com>` format.",
    }],
    scheduled: ["scheduled", "2999-01-01T00:00:00Z"],
    cancelled: sent,
    fetched: ["canceled", "<p>Grüße</p>", ["ada@example.com"]],
    listed: [true, 1],
    attachment: ["a.bin", 3, "attachment"],
    missing: ["MissingRequiredFieldsError", 422, "missing_required_field", "Missing `to` field."],
    unknown: ["ResendError", 404, "not_found", "Email not found"],
    conflict: [
      "ResendError",
      409,
      "invalid_idempotent_request",
      "Same idempotency key used with a different request payload.",
    ],
  });
  const events = service.events.list({ plugin: "mail" }) as CapturedEvent<MailMessage>[];
  assertEquals(events.length, 2);
  const [second, first] = events;
  assertEquals(first!.payload.html, "<p>Grüße</p>");
  assertEquals(first!.payload.reply_to, [{ email: "r@example.com" }]);
  assertEquals(first!.payload.attachments?.[0]?.size, 3);
  assertEquals(first!.meta, { idempotency_key: "py-1", authorization: "Bearer re_python" });
  assertEquals(second!.meta.batch_index, 0);
});
