/** Admission when clients without a login occupy every connection slot. */
import { assertEquals, assertMatch } from "@std/assert";
import { ftpDriver } from "../support/drivers/ftp.ts";
import { sftpDriver } from "../support/drivers/sftp.ts";
import { noise, operations, startFiles } from "../support/files.ts";

const PLACES = 3;
/** A little longer than a client may take to log in before it can lose its slot. */
const LOGIN_MS = 2100;

for (
  const [driver, farewell] of [
    [ftpDriver, /^220 .*\r\n421 Too many connections, and this one has not logged in\r\n$/],
    [sftpDriver, /^SSH-2\.0-standin\r\n.*Too many connections, and this one has not logged in/s],
  ] as const
) {
  Deno.test(`${driver.id} gives the slots of clients that do not log in to those that do`, async () => {
    await using service = await startFiles({ [driver.id]: { max_connections: PLACES } });
    const { hostname, port } = service.endpoint(driver.id);
    await using first = await driver.open(service);
    const silent = await Promise.all(
      Array.from({ length: PLACES - 1 }, () => Deno.connect({ hostname, port })),
    );
    const said = silent.map((conn) => new Response(conn.readable).text());
    await new Promise((resolve) => setTimeout(resolve, LOGIN_MS));
    // Every slot is taken by a client without a login.
    const clients = [];
    for (let i = 1; i < PLACES; i++) clients.push(await driver.open(service));
    for (const text of await Promise.all(said)) assertMatch(text, farewell);
    for (const [i, client] of [first, ...clients].entries()) await client.put(`/${i}`, noise(3));
    assertEquals(operations(service), ["upload /0", "upload /1", "upload /2"]);
    assertEquals(
      service.rejected.list({ provider: driver.id }).map(({ reason }) => reason),
      [`Cannot accept more than 3 connections on files/${driver.id}: this one was refused`],
    );
    for (const client of clients) await client[Symbol.asyncDispose]();
  });
}
