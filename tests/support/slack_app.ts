/** A Slack app in the vendor's framework, connected to a service. */
import { chat } from "../../plugins/chat/mod.ts";
import { freePort } from "./free_port.ts";
import { startService, type TestService } from "./service.ts";

// The vendor's client takes `fetch` when it is loaded, and leaves bodies of responses unread.
const given = globalThis.fetch;
globalThis.fetch = async (...args) => {
  const answer = await given(...args);
  return new Response(await answer.arrayBuffer(), answer);
};
const { default: bolt } = await import("npm:@slack/bolt@5.1.0");

/** Starts the service, and an app connected to it. */
export async function startBolt() {
  // Each must know the other's address before it starts.
  const port = freePort();
  const service = await startService({
    plugins: [chat],
    config: {
      callbacks: {
        enabled: true,
        inbound: { chat1: `http://127.0.0.1:${port}/slack/events` },
      },
    },
  });
  const app = new bolt.App({
    token: "xoxb-any",
    signingSecret: await secretOf(service),
    clientOptions: { slackApiUrl: `${service.ingress.url}/api/` },
    logLevel: bolt.LogLevel.ERROR,
  });
  await app.start({ port, host: "127.0.0.1" });
  return {
    app,
    service,
    async [Symbol.asyncDispose]() {
      await app.stop();
      await service.stop();
    },
  };
}

async function secretOf(service: TestService): Promise<string> {
  const { providers } = await service.getJson<
    { providers: { on: string; keys: { name: string; value: string }[] }[] }
  >("/callbacks/providers");
  return providers.find(({ on }) => on === "chat/chat1")!.keys[0]!.value;
}
