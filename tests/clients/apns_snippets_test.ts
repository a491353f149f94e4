import { assert, assertEquals } from "@std/assert";
import type { CapturedEvent } from "../../core/events/event.ts";
import { push } from "../../plugins/push/mod.ts";
import type { PushMessage } from "../../plugins/push/model.ts";
import { snippets } from "../../plugins/push/push2/snippets.ts";
import { requireClient, requireNode, runOk } from "../support/clients.ts";
import { startService, type TestService } from "../support/service.ts";

const PINS = { topic: "com.example.pinned", key_id: "PINNED1234" };

function start(pinned: boolean): Promise<TestService> {
  const push2 = pinned ? PINS : {};
  const config = { plugins: { push: { providers: { push2 } } } };
  return startService({ plugins: [push], config });
}

function code(service: TestService, about: { lang: string; pinned: boolean }): string {
  const values = about.pinned ? PINS : { topic: undefined, key_id: undefined };
  const found = snippets(service.ingress, values).find(({ lang }) => lang === about.lang);
  assert(found !== undefined, about.lang);
  return found.code;
}

function assertCaptured(service: TestService): void {
  const [event] = service.events.list({ plugin: "push" }) as CapturedEvent<PushMessage>[];
  assertEquals([event?.payload.alert?.title, event?.raw.http_version], ["Hello", "2"]);
}

for (const pinned of [false, true]) {
  const when = pinned ? " with topic and key id pinned" : "";
  Deno.test(`the curl snippet of push2 sends a push${when}`, async (t) => {
    if (requireClient(t, "curl") === undefined || requireClient(t, "sh") === undefined) return;
    await using service = await start(pinned);
    await runOk("sh", ["-c", code(service, { lang: "sh", pinned })]);
    assertCaptured(service);
  });

  Deno.test(`the Node.js snippet of push2 sends a push${when}`, async (t) => {
    const project = await requireNode(t);
    if (project === undefined) return;
    await using service = await start(pinned);
    const args = ["--input-type=module", "--eval", code(service, { lang: "js", pinned })];
    await runOk(project.node, args, { cwd: project.folder });
    assertCaptured(service);
  });
}
