import { assertEquals } from "@std/assert";
import { join } from "node:path";
import { silentLogger } from "../../core/log.ts";
import { openCallLog } from "../../core/persist/callback_log.ts";
import { sms } from "../../plugins/sms/mod.ts";
import { startReceiver } from "../support/receiver.ts";
import { startService } from "../support/service.ts";

Deno.test("queued calls, and the results of others, survive a restart", async () => {
  const folder = await Deno.makeTempDir();
  let isUp = false;
  await using app = startReceiver(() => new Response(null, { status: isUp ? 200 : 503 }));
  const start = (speed: number) =>
    startService({
      plugins: [sms],
      config: {
        storage: { events: "filesystem", path: folder },
        callbacks: { enabled: true, speed },
      },
    });
  try {
    let id = "";
    {
      await using service = await start(1_000_000);
      const response = await fetch(`${service.ingress.url}/2010-04-01/Accounts/AC1/Messages.json`, {
        method: "POST",
        body: new URLSearchParams({
          To: "+15558675310",
          From: "+15017122661",
          Body: "Hi",
          StatusCallback: app.url,
        }),
      });
      await response.body?.cancel();
      id = (await service.waitFor("sms.message")).id;
      await service.getJson(`/events/${id}/callbacks?wait=1`);
      await service.callback(id, "failed");
    }
    {
      // Only the id of an event is stored with a call.
      using kept = openCallLog({ folder: join(folder, "callbacks"), log: silentLogger });
      const owners = kept.load().map(({ owner }) => owner);
      assertEquals(owners, Array.from({ length: 3 }, () => ({ on: "sms/sms1", event: { id } })));
    }
    {
      await using service = await start(1);
      assertEquals(service.callbacks(id).map(({ state, name }) => `${name} ${state}`), [
        "sent failed",
        "delivered failed",
        "failed failed",
      ]);
      const response = await fetch(`${service.ingress.url}/2010-04-01/Accounts/AC1/Messages.json`, {
        method: "POST",
        body: new URLSearchParams({
          To: "+1555867",
          From: "+1501",
          Body: "2",
          StatusCallback: app.url,
        }),
      });
      id = response.headers.get("x-service-event-url")!.split("/").at(-1)!;
      await response.body?.cancel();
    }
    isUp = true;
    {
      await using service = await start(1_000_000);
      await service.getJson(`/events/${id}/callbacks?wait=1`);
      const calls = service.callbacks(id);
      assertEquals(calls.map(({ name }) => name), ["sent", "delivered"]);
      assertEquals(calls.at(-1)?.state, "done");
      await service.reset();
    }
    await using service = await start(1);
    assertEquals(service.callbacks(), []);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
