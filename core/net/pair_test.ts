import { assertEquals, assertRejects } from "@std/assert";
import { transportPair } from "./pair.ts";
import { DisconnectedError, IdleError } from "./transport.ts";

const idleMs = 5000;

Deno.test("one end of a pair reads what the other writes", async () => {
  const [client, server] = transportPair();
  const sent = Uint8Array.of(1, 2);
  await client.write(sent);
  sent[0] = 9;
  await client.write(Uint8Array.of(3));
  assertEquals(await server.read({ idleMs }), Uint8Array.of(1, 2));
  assertEquals(await server.read({ idleMs }), Uint8Array.of(3));
  await server.write(Uint8Array.of(4));
  assertEquals(await client.read({ idleMs }), Uint8Array.of(4));
  assertEquals([client.peer, client.local], [server.local, server.peer]);
});

Deno.test("closing one end of a pair ends the stream of the other, after the bytes written", async () => {
  const [client, server] = transportPair();
  await client.write(Uint8Array.of(1));
  await client[Symbol.asyncDispose]();
  assertEquals(await server.read({ idleMs }), Uint8Array.of(1));
  assertEquals(await server.read({ idleMs }), undefined);
  await assertRejects(() => server.write(Uint8Array.of(1)), DisconnectedError);
  await assertRejects(() => client.read({ idleMs }), DisconnectedError);
});

Deno.test("a waiting reader learns that its own end was closed", async () => {
  const [client] = transportPair();
  const reading = assertRejects(() => client.read({ idleMs }), DisconnectedError);
  await client[Symbol.asyncDispose]();
  await reading;
});

Deno.test("silence and a full window are IdleErrors", async () => {
  const [client, server] = transportPair();
  await assertRejects(() => client.read({ idleMs: 5 }), IdleError, "Nothing was received");
  await client.write(new Uint8Array(1024 * 1024));
  await assertRejects(
    () => client.write(Uint8Array.of(1), { idleMs: 5 }),
    IdleError,
    "read nothing",
  );
  assertEquals((await server.read({ idleMs }))?.length, 1024 * 1024);
  await client.write(Uint8Array.of(2), { idleMs });
  assertEquals(await server.read({ idleMs }), Uint8Array.of(2));
});
