/** The channel view of chat with few and with many messages held, and posts per second. */
import { chat } from "../../plugins/chat/mod.ts";
import { startProgram } from "../support/program.ts";
import { startService } from "../support/service.ts";
import { load, median, report } from "./measure.ts";

const FEW = 500;
const MANY = 50_000;
const RUNS = 15;
const SECONDS = 5;

/** Median times of the channel list and of one channel's newest page, in milliseconds. */
async function view(held: number): Promise<{ readonly channels: number; readonly page: number }> {
  await using service = await startService({
    plugins: [chat],
    config: { storage: { capacity: held } },
  });
  for (let i = 0; i < held; i++) {
    service.events.add("chat", "chat1", {
      type: "chat.message",
      summary: `n${i}`,
      payload: {
        channel: { id: `C${i % 40}` },
        author: { name: `a${i % 7}`, bot: true },
        text: `message number ${i}`,
        ts: `${i}.000000`,
        ...(i % 3 === 0 ? { thread_ts: `${i - i % 10}.000000` } : {}),
      },
      raw: { transport: "http", text: true, body: new Uint8Array() },
    });
  }
  const medianMs = async (path: string): Promise<number> => {
    const times: number[] = [];
    for (let i = 0; i < RUNS; i++) {
      const startMs = performance.now();
      await service.getJson(path);
      times.push(performance.now() - startMs);
    }
    return median(times);
  };
  return {
    channels: await medianMs("/chat/channels"),
    page: await medianMs("/chat/messages?channel=C7&limit=100"),
  };
}

const few = await view(FEW);
const many = await view(MANY);
for (const name of ["channels", "page"] as const) {
  report(`${name} of ${FEW} messages`, `${few[name].toFixed(1)} ms`);
  report(`${name} of ${MANY} messages`, `${many[name].toFixed(1)} ms`, {
    text: "< 100 ms",
    met: many[name] < 100,
  });
  const growth = many[name] / few[name];
  report("  growth", growth.toFixed(1), {
    text: `<= ${MANY / FEW}, as the number of messages`,
    met: growth <= MANY / FEW,
  });
}

await using program = await startProgram();
const rate = await load({
  url: `${program.urls.ingress ?? ""}/api/chat.postMessage`,
  headers: { "content-type": "application/json", authorization: "Bearer xoxb-any" },
  body: JSON.stringify({
    channel: "C1",
    text: "hello",
    blocks: [{ type: "section", text: { type: "mrkdwn", text: "*b* hello" } }],
  }),
  seconds: SECONDS,
  connections: 32,
});
if (rate.refused > 0) throw new Error(`Posted to chat1: ${rate.refused} posts were refused`);
report("chat1, posts a second", rate.perSecond.toFixed(0));
