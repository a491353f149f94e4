/**
 * `as2_loop.ts URL TYPE SECONDS CONNECTIONS`: posts standard input as fast as receipts arrive;
 * prints the rate per second.
 */
const [url = "", type = "", ...numbers] = Deno.args;
const [seconds, connections] = numbers.map(Number) as [number, number];
const body = await new Response(Deno.stdin.readable).bytes();
const until = performance.now() + seconds * 1000;
let processed = 0;

async function lane(_: unknown, index: number): Promise<void> {
  for (let count = 0; performance.now() < until; count++) {
    const response = await fetch(url, {
      method: "POST",
      body,
      headers: {
        "as2-version": "1.1",
        "as2-from": "bench",
        "as2-to": "standin",
        "message-id": `<${index}.${count}.${until}@bench>`,
        "content-type": type,
        "disposition-notification-to": "bench@example.com",
        "disposition-notification-options":
          "signed-receipt-protocol=required, pkcs7-signature; signed-receipt-micalg=required, sha-256",
      },
    });
    if (/MDN-sent-automatically; processed\r\n/.test(await response.text())) processed++;
  }
}

await Promise.all(Array.from({ length: connections }, lane));
console.log(JSON.stringify({ perSecond: processed / seconds }));
