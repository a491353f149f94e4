/** Clients that wait, retry or give up: reactions and messages of programs and SDKs. */
import { assertEquals, assertMatch } from "@std/assert";
import { hl7 } from "../../plugins/hl7/mod.ts";
import { mail } from "../../plugins/mail/mod.ts";
import { snmp } from "../../plugins/snmp/mod.ts";
import { clientTest, requireMaven, runOk, runProgram } from "../support/clients.ts";
import { content, operations, scratch, startFiles } from "../support/files.ts";
import { startStore } from "../support/s3.ts";
import { runBoto3 } from "../support/s3_clients.ts";
import { startService } from "../support/service.ts";

Deno.test("boto3 retries after SlowDown, and succeeds", async (t) => {
  await using store = await startStore({ buckets: ["box"] });
  const { service } = store;
  const match = { operation: "PutObject" };
  const outcome = ["slow_down", "slow_down"];
  using fault = await service.fault({ on: "s3/http", outcome, match });
  const late = { outcome: "slow_down", match: { operation: "GetObject" } };
  using always = await service.fault({ on: "s3/http", ...late });
  const seen = await runBoto3(t, "s3_fault_calls.py", service.endpoint("s3/http").url);
  if (seen === undefined) return;
  assertEquals(seen.printed, { retries: 2, status: 200, code: "SlowDown", attempts: 4 });
  assertEquals([fault.hits, always.hits], [2, 4]);
  assertEquals(service.list("s3.object.put").length, 1);
});

Deno.test("HAPI for Java reads AE and AR, and times out without an acknowledgement", async (t) => {
  const project = await requireMaven(t, "hl7");
  if (project === undefined) return;
  await using service = await startService({ plugins: [hl7] });
  const outcomes = ["error", "reject", "silent", "wrong_control_id", "close"];
  for (const [n, outcome] of outcomes.entries()) {
    const match = { "header.control_id": `F${n}` };
    await service.fault({ on: "hl7/mllp", outcome, match });
  }
  const source = `${project.folder}Faults.java`;
  const { port } = service.endpoint("mllp");
  const args = ["-cp", project.classPath, source, String(port), String(outcomes.length + 1)];
  const cwd = await Deno.makeTempDir();
  const { stdout } = await runOk(project.java, args, { timeoutMs: 90_000, cwd })
    .finally(() => Deno.remove(cwd, { recursive: true }));
  assertEquals(stdout.trim().split("\n"), [
    "F0 ACK AE",
    "F1 ACK AR",
    "F2 no response",
    "F3 no response",
    "F4 no response",
    "F5 ACK AA",
  ]);
});

clientTest(
  "snmpinform accepts an error as a confirmation, and reports a missing answer",
  ["snmpinform"],
  async (programs) => {
    await using service = await startService({ plugins: [snmp] });
    const outcome = ["generic_error", "no_access", "drop"];
    const fault = await service.fault({ on: "snmp/trap", outcome });
    const { hostname, port } = service.endpoint("trap");
    const target = ["-v2c", "-r0", "-t1", "-c", "public", `udp:${hostname}:${port}`, ""];
    const env = { MIBS: "", SNMP_PERSISTENT_DIR: "/tmp", SNMPCONFPATH: "/nonexistent" };
    const said: unknown[] = [];
    for (let n = 0; n < 4; n++) {
      const args = [...target, "1.3.6.1.6.3.1.1.5.4"];
      const { code, stderr } = await runProgram(programs.snmpinform, args, { env });
      said.push([code, /Timeout/.test(stderr)]);
    }
    assertEquals(said, [[0, false], [0, false], [1, true], [0, false]]);
    assertEquals([fault.hits, service.events.count()], [3, 1]);
  },
);

clientTest(
  "lftp logs in again after 421, and does not after 426 and 550",
  ["lftp"],
  async ({ lftp }) => {
    await using service = await startFiles();
    await using folder = await scratch();
    await Deno.writeTextFile(`${folder.path}/up`, "hello");
    const on = "files/ftp";
    using login = await service.fault({ on, phase: "login", outcome: ["unavailable"] });
    const { hostname, port } = service.endpoint("ftp");
    const quick = "set net:reconnect-interval-base 1; set net:reconnect-interval-multiplier 1";
    const put = ["-u", "ada,secret", "-p", String(port), hostname, "-e"];
    await runOk(lftp, [...put, `${quick}; put ${folder.path}/up; bye`], { timeoutMs: 60_000 });
    assertEquals(new TextDecoder().decode(await content(service, "/up")), "hello");
    assertEquals([login.hits, operations(service)], [1, ["upload /up"]]);
    for (
      const [rule, words] of [
        [{ outcome: "permission" }, /550.*Permission denied/],
        [{ outcome: "data_aborted", phase: "transfer" }, /max-retries exceeded/],
      ] as const
    ) {
      using _ = await service.fault({ on, ...rule });
      const script = `${quick}; set net:max-retries 1; put ${folder.path}/up -o b; bye`;
      const { code, stderr } = await runProgram(lftp, [...put, script]);
      assertEquals(code, 1);
      assertMatch(stderr, words);
    }
  },
);

clientTest(
  "curl has an exit status for each way in which a connection ends",
  ["curl"],
  async ({ curl }) => {
    await using service = await startService({ plugins: [mail] });
    const send = async (...args: string[]): Promise<number> => {
      const url = `${service.ingress.url}/emails`;
      const body = '{"from":"a@example.com","to":"b@example.com","subject":"Hi","text":"Hi"}';
      const post = ["-sS", "-o", "/dev/null", "--fail", "--max-time", "2", "--json", body, url];
      return (await runProgram(curl, [...args, ...post])).code;
    };
    const found: Record<string, readonly number[]> = {};
    for (const outcome of ["hang", "reset", "close", "truncate", "rate_limit"]) {
      using _ = await service.fault({ on: "mail/mail3", outcome });
      found[outcome] = [await send(), await send("--http2-prior-knowledge")];
    }
    assertEquals(found, {
      hang: [28, 28],
      reset: [56, 18],
      close: [52, 18],
      // Over HTTP/1 it treats a truncated head as complete.
      truncate: [0, 18],
      rate_limit: [22, 22],
    });
    using retried = await service.fault({ on: "mail/mail3", outcome: ["rate_limit"] });
    assertEquals([await send("--max-time", "9", "--retry", "1"), retried.hits], [0, 1]);
  },
);
