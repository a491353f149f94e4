import { assertEquals } from "@std/assert";
import { chat } from "../../plugins/chat/mod.ts";
import { sms } from "../../plugins/sms/mod.ts";
import { requireGo, runOk } from "../support/clients.ts";
import { startService } from "../support/service.ts";

const ACCOUNT = "AC00000000000000000000000000000000";

Deno.test("twilio-go, slack-go and go-teams-notify make their calls and understand the answers", async (t) => {
  const program = await requireGo(t, "sms_chat");
  if (program === undefined) return;
  const pinned = { account_sid: ACCOUNT, auth_token: "secret" };
  await using service = await startService({
    plugins: [sms, chat],
    config: { plugins: { sms: { providers: { sms1: pinned } } } },
  });
  const { stdout } = await runOk(program, [service.ingress.url], { env: { NO_PROXY: "*" } });
  assertEquals(JSON.parse(stdout), {
    twilio: {
      sent: ["queued", "1"],
      listed: ["n2", "n1", "n0"],
      fetched: "hello go & €",
      nobody: [400, 21211],
      wrong: [401, 20003],
      verified: ["pending", "pending", "approved"],
    },
    slack: {
      auth: "standin",
      channel: "C123",
      refused: "no_text",
      hook: "<nil>",
      workspace: {
        updated: "uno",
        history: ["uno", "tada"],
        file: "a.txt",
        channels: 2,
        user: "grace",
        late: "time_in_past",
        gone: "message_not_found",
      },
    },
    teams: { connector: "<nil>", workflow: "<nil>" },
  });
  const texts = service.events.list({}).map(({ payload }) => {
    const { body, text } = payload as { body?: string; text?: string };
    return body ?? text;
  });
  const changed = ["one", "uno", "", "see", "uno"];
  const posted = ["root", "re", ...changed, "hook", "hello", "Title\nhi"];
  assertEquals(texts.toReversed(), [
    "hello go & €",
    ...["n0", "n1", "n2"],
    "Your Standin verification code is: 424242",
    ...posted,
  ]);
  const formats = service.events.list({ provider: "chat2" }).map(({ payload }) =>
    (payload as { contents: { format: string }[] }).contents[0]!.format
  );
  assertEquals(formats, ["chat2.adaptivecard", "chat2.messagecard"]);
});
