/** The setting `profile` of the hl7 plugin. */
import { assertEquals, assertRejects } from "@std/assert";
import { ConfigError } from "../../core/errors.ts";
import type { Finding } from "../../mod.ts";
import { hl7 } from "../../plugins/hl7/mod.ts";
import { startService } from "../support/service.ts";

const MESSAGE = "MSH|^~\\&|A|B|C|D|20260131120000||ADT^A01^ADT_A01|1|P|2.5.1\r" +
  "EVN||20260131120000\rPID|1||1||Doe^Jane\rPV1|1|I\r";

Deno.test("a message is checked against the configured profile", async () => {
  const profile = await Deno.makeTempFile({ suffix: ".toml" });
  try {
    await Deno.writeTextFile(profile, '[messages."ADT^A01"]\nsegments = ["ZPI"]\n');
    const config = { plugins: { hl7: { profile } } };
    await using service = await startService({ plugins: [hl7], config });
    const { hostname, port } = service.endpoint("mllp");
    using conn = await Deno.connect({ hostname, port });
    await conn.write(new TextEncoder().encode(`\x0b${MESSAGE}\x1c\r`));
    const { id } = await service.waitFor("hl7.message");
    const { checks } = await service.getJson<{ checks: Finding[] }>(`/events/${id}/checks`);
    assertEquals(checks.map(({ id, message }) => [id, message]), [
      ["hl7.profile", "The profile requires a segment ZPI in ADT^A01"],
    ]);
    await Deno.writeTextFile(profile, "[messages.ADT]\nsegment = []\n");
    await assertRejects(
      () => startService({ plugins: [hl7], config }),
      ConfigError,
      "did you mean segments?",
    );
  } finally {
    await Deno.remove(profile);
  }
  await assertRejects(
    () => startService({ plugins: [hl7], config: { plugins: { hl7: { profile } } } }),
    ConfigError,
    "the file does not exist",
  );
});
