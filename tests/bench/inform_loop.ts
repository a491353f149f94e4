/**
 * `inform_loop.ts PORT SECONDS`: sends informs as fast as they are confirmed, 32 in flight at a
 * time; prints the rate per second.
 */
const [port, seconds] = Deno.args.map(Number) as [number, number];

/** linkDown of version 2c with its two leading bindings; its request id has four octets. */
const INFORM = Uint8Array.fromHex(
  "304402010104067075626c6963a6370204000000000201000201003029300e06082b0601" +
    "0201010300430201003017060a2b06010603010104010006092b0601060301010503",
);
const ID_AT = 17;
const IN_FLIGHT = 32;
const LOST_MS = 100;

const socket = Deno.listenDatagram({ hostname: "127.0.0.1", port: 0, transport: "udp" });
const to = { hostname: "127.0.0.1", port, transport: "udp" } as const;
const view = new DataView(INFORM.buffer);
let id = 1;
let confirmed = 0;

async function send(): Promise<void> {
  view.setInt32(ID_AT, id++ & 0x7fffffff);
  await socket.send(INFORM, to);
}

const endMs = performance.now() + seconds * 1000;
// A datagram may be lost; without this the loop would stall.
let before = -1;
const refill = setInterval(() => {
  if (confirmed === before) void send();
  before = confirmed;
}, LOST_MS);
for (let sent = 0; sent < IN_FLIGHT; sent++) await send();
const buffer = new Uint8Array(2048);
while (performance.now() < endMs) {
  await socket.receive(buffer);
  confirmed++;
  await send();
}
clearInterval(refill);
socket.close();
console.log(JSON.stringify({ perSecond: confirmed / seconds }));
