import { assert, assertEquals } from "@std/assert";
import { clientTest, runProgram } from "../support/clients.ts";
import { openFront, type Told } from "../support/raw_http.ts";

const SOURCE = new URL("../fixtures/jdk/Post.java", import.meta.url).pathname;

clientTest(
  "the JDK's HttpClient posts, including its upgrade offer",
  ["java"],
  async ({ java }) => {
    await using front = await openFront();
    const { code, stdout, stderr } = await runProgram(java, [SOURCE, `${front.url}/v1/send`], {
      timeoutMs: 60_000,
    });
    assertEquals(code, 0, stderr);
    const lines = stdout.trim().split("\n");
    for (const [i, line] of lines.entries()) {
      const [status, version, told] = line.split(/ (.+?) (.+)/) as [string, string, string];
      assertEquals([status, version], ["200", "HTTP_1_1"]);
      const got: Told = JSON.parse(told);
      assertEquals([got.method, got.target, got.body], ["POST", "/v1/send", `{"n":${i}}`]);
      assert(got.rawHeaders.some(([name]) => name === "HTTP2-Settings"));
    }
    assertEquals(lines.length, 2);
    assertEquals(new Set(front.calls.map(({ peer }) => peer)).size, 1);
  },
);
