import { assertEquals } from "@std/assert";
import type { Snippet } from "../../core/plugin.ts";
import { chat1 } from "../../plugins/chat/chat1/mod.ts";
import { chat2 } from "../../plugins/chat/chat2/mod.ts";
import { chat } from "../../plugins/chat/mod.ts";
import { sms } from "../../plugins/sms/mod.ts";
import { sms1 } from "../../plugins/sms/sms1/mod.ts";
import { sms2 } from "../../plugins/sms/sms2/mod.ts";
import { sms3 } from "../../plugins/sms/sms3/mod.ts";
import { findProgram, requireNode, requirePython, runOk, skipTest } from "../support/clients.ts";
import { startService, type TestService } from "../support/service.ts";

/**
 * Runs a snippet with the program that its language needs. Returns `false`, with a message, if that
 * is absent.
 */
async function run(t: Deno.TestContext, { lang, code }: Snippet): Promise<boolean> {
  if (lang === "sh") {
    if (findProgram("curl") === undefined) return skipTest(t, "curl", "is not installed"), false;
    await runOk("sh", ["-c", code]);
    return true;
  }
  if (lang === "js") {
    const project = await requireNode(t);
    if (project === undefined) return false;
    await runOk(project.node, ["--input-type=module", "--eval", code], { cwd: project.folder });
    return true;
  }
  const python = await requirePython(t);
  if (python === undefined) return false;
  await runOk(python, ["-c", code], { env: { NO_PROXY: "*" } });
  return true;
}

async function assertCaptures(
  t: Deno.TestContext,
  snippetsOf: (service: TestService) => readonly Snippet[],
): Promise<void> {
  await using service = await startService({ plugins: [sms, chat] });
  for (const snippet of snippetsOf(service)) {
    await t.step(snippet.title, async (t) => {
      const before = service.events.count();
      if (!await run(t, snippet)) return;
      assertEquals(service.events.count(), before + 1);
      const [event] = service.events.list({ search: "Hello" });
      assertEquals(event?.raw.text, true);
      service.events.clear();
    });
  }
}

Deno.test("every snippet of sms1 sends a message", async (t) => {
  await assertCaptures(
    t,
    ({ ingress }) => sms1.snippets!(ingress, { account_sid: undefined, auth_token: undefined }),
  );
});

Deno.test("every snippet of sms2 publishes a message", async (t) => {
  await assertCaptures(t, ({ ingress }) =>
    sms2.snippets!(ingress, {
      access_key: undefined,
      opted_out: [],
    }));
});

Deno.test("every snippet of sms3 sends a message", async (t) => {
  await assertCaptures(t, ({ ingress }) =>
    sms3.snippets!(ingress, {
      api_key: undefined,
      api_secret: undefined,
    }));
});

Deno.test("every snippet of chat1 posts a message", async (t) => {
  await assertCaptures(t, ({ ingress }) => chat1.snippets!(ingress, { bot_token: undefined }));
});

Deno.test("every snippet of chat2 posts a message", async (t) => {
  await assertCaptures(t, ({ ingress }) => chat2.snippets!(ingress, {}));
});
