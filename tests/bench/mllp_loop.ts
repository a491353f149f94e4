/**
 * `mllp_loop.ts PORT SECONDS`: 16 connections, each of which repeatedly sends a message and waits
 * for its acknowledgement.
 */
const [port, seconds] = Deno.args.map(Number) as [number, number];

const MESSAGE = new TextEncoder().encode(
  "\vMSH|^~\\&|ADM|HOSP|LAB|CLINIC|20260131120000||ADT^A01^ADT_A01|BENCH|P|2.5.1\r" +
    "EVN|A01|20260131120000\rPID|1||4711^^^HOSP^MR||Lovelace^Ada||18151210|F|||1 Main St^^London\r" +
    "NK1|1|Byron^Anne|MTH\rPV1|1|I|2000^2012^01||||004777^Good^Sid\r" +
    "OBX|1|NM|8867-4^Heart rate^LN||72|/min|60-100|N|||F\r\x1c\r",
);
const CONNECTIONS = 16;
const endMs = performance.now() + seconds * 1000;
let answered = 0;

async function converse(): Promise<void> {
  using conn = await Deno.connect({ hostname: "127.0.0.1", port });
  conn.setNoDelay(true);
  const buffer = new Uint8Array(4096);
  while (performance.now() < endMs) {
    await conn.write(MESSAGE);
    for (let ended = false; !ended;) {
      const count = await conn.read(buffer);
      if (count === null) throw new Error("The receiver hung up");
      ended = buffer[count - 1] === 0x0d && buffer.subarray(0, count).includes(0x1c);
    }
    answered++;
  }
}

await Promise.all(Array.from({ length: CONNECTIONS }, converse));
console.log(JSON.stringify({ perSecond: answered / seconds }));
