/** How clients of Telegram take its faults: they wait as retry_after says, retry, or report. */
import { assertEquals, assertRejects } from "@std/assert";
import { autoRetry } from "npm:@grammyjs/auto-retry@2.0.2";
import { Bot, GrammyError, HttpError } from "npm:grammy@1.46.0";
import { chat } from "../../plugins/chat/mod.ts";
import { startService } from "../support/service.ts";

Deno.test("grammY's auto-retry waits as retry_after says, and retries after 500", async () => {
  await using service = await startService({ plugins: [chat] });
  const { api } = new Bot("123456:secret", { client: { apiRoot: service.ingress.url } });
  const waited: number[] = [];
  api.config.use(async (call, method, payload, signal) => {
    const answer = await call(method, payload, signal);
    if (!answer.ok) waited.push(answer.parameters?.retry_after ?? 0);
    return answer;
  });
  api.config.use(autoRetry({ maxDelaySeconds: 5 }));
  for (const outcome of ["rate_limit", "server_error"]) {
    using fault = await service.fault({ on: "chat/chat4", outcome: [outcome] });
    const { text } = await api.sendMessage(1, outcome);
    assertEquals([text, fault.hits], [outcome, 1]);
  }
  assertEquals(waited, [1, 0]);
  assertEquals(service.events.count("chat"), 2);
});

Deno.test("grammY reports a bot that was blocked, and a broken connection", async () => {
  await using service = await startService({ plugins: [chat] });
  const { api } = new Bot("123456:secret", { client: { apiRoot: service.ingress.url } });
  {
    using _ = await service.fault({ on: "chat/chat4", outcome: ["blocked"] });
    const error = await assertRejects(() => api.sendMessage(1, "x"), GrammyError);
    assertEquals([error.error_code, error.description], [
      403,
      "Forbidden: bot was blocked by the user",
    ]);
  }
  using _ = await service.fault({ on: "chat/chat4", outcome: "reset" });
  await assertRejects(() => api.sendMessage(1, "x"), HttpError);
  assertEquals(service.events.count("chat"), 0);
});
