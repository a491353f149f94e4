import { assert, assertEquals } from "@std/assert";
import type { CapturedEvent } from "../../core/events/event.ts";
import { push } from "../../plugins/push/mod.ts";
import type { PushMessage } from "../../plugins/push/model.ts";
import { snippets } from "../../plugins/push/push1/snippets.ts";
import { requireClient, requireNode, requirePython, runOk } from "../support/clients.ts";
import { startService, type TestService } from "../support/service.ts";

function code(service: TestService, title: string): string {
  const values = { bearer_token: undefined, oauth_token: false };
  const found = snippets(service.ingress, values).find((item) => item.title.includes(title));
  assert(found !== undefined, title);
  return found.code;
}

function assertCaptured(service: TestService): void {
  const [event] = service.events.list({ plugin: "push" }) as CapturedEvent<PushMessage>[];
  assertEquals([event?.payload.alert?.title, event?.payload.target.value], ["Hello", "device-1"]);
}

Deno.test("the curl snippet of push1 sends a push", async (t) => {
  if (requireClient(t, "curl") === undefined || requireClient(t, "sh") === undefined) return;
  await using service = await startService({ plugins: [push] });
  await runOk("sh", ["-c", code(service, "curl")]);
  assertCaptured(service);
});

for (const title of ["Node API client", "Node admin SDK"]) {
  Deno.test(`the ${title} snippet of push1 sends a push`, async (t) => {
    const project = await requireNode(t);
    if (project === undefined) return;
    await using service = await startService({ plugins: [push] });
    const args = ["--input-type=module", "--eval", code(service, title)];
    await runOk(project.node, args, { cwd: project.folder });
    assertCaptured(service);
  });
}

Deno.test("the Python snippet of push1 sends a push", async (t) => {
  const python = await requirePython(t);
  if (python === undefined) return;
  await using service = await startService({ plugins: [push] });
  await runOk(python, ["-c", code(service, "Python")], { env: { NO_PROXY: "*" } });
  assertCaptured(service);
});
