import { assertEquals } from "@std/assert";
import { requireMaven } from "../support/clients.ts";
import { javaCalls } from "../support/java.ts";
import { assertStoryEvents, startStore, STORY, VERSIONS } from "../support/s3.ts";

const WAYS: readonly (readonly [title: string, options: object, args: readonly string[]])[] = [
  ["as it comes, where framed uploads are taken", { aws_chunked: true }, []],
  ["with the settings that the refusal of framed uploads names", {}, ["plain"]],
];

for (const [title, options, args] of WAYS) {
  Deno.test(`the AWS SDK for Java v2 makes every call, ${title}`, async (t) => {
    const project = await requireMaven(t, "s3");
    if (project === undefined) return;
    await using store = await startStore({ buckets: [], ...options });
    const { url } = store.service.endpoint("http");
    assertEquals(await javaCalls(project, [url, ...args]), { ...STORY, ...VERSIONS });
    assertStoryEvents(store, "aws-sdk-java");
  });
}
