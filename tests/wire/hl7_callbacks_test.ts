/** Messages sent to an application's MLLP port, and its acknowledgments. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { encodeFrame, FrameDecoder } from "../../plugins/hl7/mllp/codec/frame.ts";
import { hl7 } from "../../plugins/hl7/mod.ts";
import { startService } from "../support/service.ts";

/** An application that answers with these codes in order, then keeps repeating the last one. */
function startApplication(codes: string[]) {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const received: string[] = [];
  const serving = (async () => {
    for await (const connection of listener) {
      const decoder = new FrameDecoder({ maxBytes: 65_536 });
      for await (const chunk of connection.readable) {
        for (const { bytes } of decoder.push(chunk)) {
          const message = new TextDecoder().decode(bytes);
          received.push(message);
          const code = codes.length > 1 ? codes.shift() : codes[0];
          const id = message.split("|")[9];
          const answer = `MSH|^~\\&|APP|H|LAB|H|20260131||ACK|1|P|2.5.1\rMSA|${code}|${id}\r`;
          await connection.write(encodeFrame(new TextEncoder().encode(answer)));
        }
      }
    }
  })();
  return {
    url: `mllp://127.0.0.1:${listener.addr.port}`,
    received,
    async [Symbol.asyncDispose]() {
      listener.close();
      await serving;
    },
  };
}

const message = (id: number) =>
  `MSH|^~\\&|LAB|H|APP|H|20260131120000||ORU^R01|${id}|P|2.5.1\nPID|1||4711`;

Deno.test("messages reach the application in order, each after the previous one is acknowledged", async () => {
  await using app = startApplication(["AE", "AA", "AA"]);
  await using service = await startService({
    plugins: [hl7],
    config: {
      callbacks: { enabled: true, allow: ["mllp://127.0.0.1:*"], inbound: { mllp: app.url } },
    },
  });
  const [first, second] = await Promise.all([
    service.inbound("mllp", { message: message(1) }),
    service.inbound("mllp", { message: message(2) }),
  ]);
  assertEquals(first.calls[0]?.attempts.map(({ status, error }) => [status, error]), [
    [500, "Acknowledged with AE"],
    [200, undefined],
  ]);
  assertStringIncludes(first.calls[0]!.attempts[1]!.body!, "MSA|AA|1");
  assertEquals([second.calls[0]?.state, second.calls[0]?.name], ["done", "ORU^R01"]);
  assertEquals(app.received.map((text) => text.split("|")[9]), ["1", "1", "2"]);
  assertEquals(app.received[0]?.split("\r").length, 3);
});
