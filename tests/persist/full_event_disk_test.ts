/** A disk too full for events: senders are refused, nothing acknowledged is lost, and the service recovers. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { ConfigError } from "../../core/errors.ts";
import { clientTest, runOk, runProgram, skipTest } from "../support/clients.ts";
import { scratch } from "../support/files.ts";
import { startService, type TestService } from "../support/service.ts";

const DISK_BYTES = 16 * 1024 * 1024;

function start(path: string): Promise<TestService> {
  return startService({ config: { storage: { events: "filesystem", path } }, logLevel: "error" });
}

async function send({ ingress }: TestService, size: number): Promise<number> {
  const response = await fetch(`${ingress.url}/v3/mail/send`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: "Bearer SG.x" },
    body: JSON.stringify({
      personalizations: [{ to: [{ email: "ada@example.org" }] }],
      from: { email: "shop@example.org" },
      subject: "Filling up",
      content: [{ type: "text/plain", value: crypto.randomUUID().padEnd(size, "x") }],
    }),
  });
  await response.body?.cancel();
  return response.status;
}

const idsOf = ({ events }: TestService): readonly string[] => events.list({}).map(({ id }) => id);

clientTest(
  "a full disk refuses events, loses none, and accepts them again once some are deleted",
  ["mount", "umount"],
  async ({ mount, umount }, t) => {
    await using folder = await scratch();
    const args = ["-t", "tmpfs", "-o", `size=${DISK_BYTES}`, "tmpfs", folder.path];
    if ((await runProgram(mount, args)).code !== 0) {
      return skipTest(t, "mount", "may not mount here");
    }
    try {
      let ids: readonly string[];
      {
        await using service = await start(folder.path);
        let taken = 0;
        // Bodies in the database, and bodies in their own files.
        for (const size of [100_000, 400_000, 1000]) {
          for (;;) {
            const status = await send(service, size);
            if (status !== 202) {
              assertEquals(status, 503);
              break;
            }
            taken++;
            assert(taken < 1000, "The disk never becomes full");
          }
        }
        ids = idsOf(service);
        assertEquals(ids.length, taken);
        assertEquals(service.rejected.list()[0]?.provider, "mail2");
        await service.getJson("/ready", 503);
      }
      await using service = await start(folder.path);
      assertEquals(idsOf(service), ids);
      const cleared = await fetch(`${service.api.url}/api/v1/events`, { method: "DELETE" });
      assertEquals([cleared.status, await cleared.text()], [204, ""]);
      assertEquals(await send(service, 100_000), 202);
      await service.getJson("/ready");
    } finally {
      await runOk(umount, [folder.path]);
    }
  },
);

clientTest(
  "a read-only folder stops the start, with a hint",
  ["mount", "umount"],
  async ({ mount, umount }, t) => {
    await using folder = await scratch();
    const args = ["-t", "tmpfs", "-o", `size=${4 * DISK_BYTES}`, "tmpfs", folder.path];
    if ((await runProgram(mount, args)).code !== 0) {
      return skipTest(t, "mount", "may not mount here");
    }
    try {
      await runOk(mount, ["-o", "remount,ro", folder.path]);
      await assertRejects(() => start(folder.path), ConfigError, "choose another [storage] path");
    } finally {
      await runOk(umount, [folder.path]);
    }
  },
);
