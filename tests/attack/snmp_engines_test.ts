/** Keys of version 3 are kept by engine and user: names that a sender chooses must not fill the memory. */
import { assertEquals, assertLess } from "@std/assert";
import { encodeV3 } from "../../plugins/snmp/trap/codec/message_v3.ts";
import { FREE_PORTS, listening } from "../support/program.ts";
import { mib, startTarget } from "../support/under_attack.ts";

/** Octets of an engine id that fit into a datagram. */
const LONG = 60_000;
const COUNT = 1500;
/** Far more than these datagrams may take besides their stored events. */
const MOST_GROWTH = 40 * 1024 ** 2;
const MEMORY = "--memory-limit=64MB";

/** A trap that claims to be authenticated, from a new engine. */
function trapOf(number: number): Uint8Array {
  const engineId = new Uint8Array(LONG).fill(number & 0xff);
  new DataView(engineId.buffer).setUint32(0, number);
  return encodeV3({
    id: number,
    flags: 1,
    security: { engineId, boots: 1, time: 1, user: "ada" },
    authenticationBytes: 12,
    privacy: new Uint8Array(),
    data: Uint8Array.of(0x30, 0),
  }).bytes;
}

Deno.test("very long engine ids are refused, and their keys are not kept", async () => {
  const file = await Deno.makeTempFile({ suffix: ".toml" });
  await Deno.writeTextFile(
    file,
    // Few events are stored, so that what else takes memory shows.
    '[storage]\nraw_limit = "4MB"\n[[plugins.snmp.providers.trap.users]]\nname = "ada"\n' +
      'auth_password = "analytical"\n',
  );
  try {
    const args = ["serve", "--config", file, ...FREE_PORTS, MEMORY];
    await using target = await startTarget({ args });
    const { port } = (await listening(target)).endpoint("trap");
    const rejected = async () => {
      const response = await fetch(`${target.urls.api}/api/v1/events?limit=1`);
      const [newest] = await response.json();
      return newest.payload.decode_error;
    };
    const { restBytes, peakBytes } = await target.measure(async () => {
      const socket = Deno.listenDatagram({ transport: "udp", hostname: "127.0.0.1", port: 0 });
      for (let number = 0; number < COUNT; number++) {
        await socket.send(trapOf(number), { transport: "udp", hostname: "127.0.0.1", port });
        // Keeps the kernel from dropping any.
        if (number % 20 === 19) await (await fetch(`${target.urls.api}/api/v1/health`)).text();
      }
      socket.close();
    });
    assertEquals(
      await rejected(),
      `Cannot read the engine id: it has ${LONG} octets, at most 32 are allowed`,
    );
    assertLess(peakBytes - restBytes, MOST_GROWTH, `${mib(peakBytes)} resident at most`);
  } finally {
    await Deno.remove(file);
  }
});
