/**
 * Programs that reach the service by a name unknown to it, such as that of its container: none of
 * them is treated as a browser.
 */
import { assertEquals } from "@std/assert";
import { mail } from "../../plugins/mail/mod.ts";
import { s3 } from "../../plugins/s3/mod.ts";
import { clientTest, requireJava, requireNode, requirePython, runOk } from "../support/clients.ts";
import { startService, type TestService } from "../support/service.ts";

const HOST = "standin";
const MAIL = JSON.stringify({
  from: "a@example.com",
  to: "b@example.com",
  subject: "s",
  text: "t",
});

function start(): Promise<TestService> {
  return startService({
    plugins: [mail, s3],
    config: { plugins: { s3: { providers: { http: { buckets: ["kept"] } } } } },
  });
}

/** Every request used the unknown name, and was served. */
function checkMails(service: TestService, count: number): void {
  const events = service.events.list({ plugin: "mail" });
  assertEquals(service.rejected.list().map(({ reason }) => reason), []);
  assertEquals(events.length, count);
  for (const { raw } of events) {
    const host = raw.headers?.find(([name]) => name.toLowerCase() === "host")?.[1];
    assertEquals(host, `${HOST}:${service.ingress.port}`);
  }
}

Deno.test("Deno's fetch is served under an unknown name", async () => {
  await using service = await start();
  using client = Deno.createHttpClient({ proxy: { url: service.ingress.url } });
  const response = await fetch(`http://${HOST}:${service.ingress.port}/emails`, {
    client,
    method: "POST",
    body: MAIL,
  });
  assertEquals(response.status, 200, await response.text());
  checkMails(service, 1);
});

clientTest("curl is served under an unknown name", ["curl"], async ({ curl }) => {
  await using service = await start();
  const { port } = service.ingress;
  const resolve = ["--resolve", `${HOST}:${port}:127.0.0.1`];
  await runOk(curl, [...resolve, "-sSf", "-d", MAIL, `http://${HOST}:${port}/emails`]);
  checkMails(service, 1);
});

/** Resolves every name to this machine, as in a container. */
const NODE = `
import dns from "node:dns";
dns.lookup = (name, options, done) => {
  const [about, call] = typeof options === "function" ? [{}, options] : [options, done];
  if (about.all) call(null, [{ address: "127.0.0.1", family: 4 }]);
  else call(null, "127.0.0.1", 4);
};
import http from "node:http";
import axios from "axios";
import { fetch as undici, request } from "undici";
const url = process.argv[1];
const body = process.argv[2];
const check = (status) => { if (status !== 200) throw new Error(String(status)); };
const headers = { "content-type": "application/json" };
check((await fetch(url, { method: "POST", body, headers })).status);
check((await undici(url, { method: "POST", body, headers })).status);
check((await request(url, { method: "POST", body, headers })).statusCode);
check((await axios.post(url, body, { headers })).status);
check((await axios.post(url, body, { headers, adapter: "fetch" })).status);
check(await new Promise((done, fail) => {
  http.request(url, { method: "POST", headers }, (answer) => done(answer.resume().statusCode))
    .on("error", fail).end(body);
}));
`;

Deno.test("Node clients are served under an unknown name", async (t) => {
  const project = await requireNode(t);
  if (project === undefined) return;
  await using service = await start();
  const url = `http://${HOST}:${service.ingress.port}/emails`;
  const args = ["--input-type=module", "--eval", NODE, url, MAIL];
  await runOk(project.node, args, { cwd: project.folder });
  checkMails(service, 6);
});

const PYTHON = `
import socket, sys, urllib.request
import boto3, requests
found = socket.getaddrinfo
socket.getaddrinfo = lambda host, *more, **named: found("127.0.0.1", *more, **named)
url, body, store = sys.argv[1:]
assert requests.post(url, data=body).status_code == 200
assert urllib.request.urlopen(url, data=body.encode()).status == 200
client = boto3.client("s3", endpoint_url=store, region_name="us-east-1",
  aws_access_key_id="a", aws_secret_access_key="b")
client.put_object(Bucket="kept", Key="a", Body=b"a")
assert [bucket["Name"] for bucket in client.list_buckets()["Buckets"]] == ["kept"]
`;

Deno.test("Python clients, boto3 included, are served under an unknown name", async (t) => {
  const python = await requirePython(t);
  if (python === undefined) return;
  await using service = await start();
  const store = `http://${HOST}:${service.endpoint("s3/http").port}`;
  const url = `http://${HOST}:${service.ingress.port}/emails`;
  await runOk(python, ["-c", PYTHON, url, MAIL, store], { timeoutMs: 60_000 });
  checkMails(service, 2);
});

const JAVA = `
import java.net.InetSocketAddress;
import java.net.ProxySelector;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;

public class Post {
  public static void main(String[] args) throws Exception {
    URI url = URI.create(args[0]);
    HttpClient client = HttpClient.newBuilder()
      .proxy(ProxySelector.of(new InetSocketAddress("127.0.0.1", url.getPort()))).build();
    HttpRequest request = HttpRequest.newBuilder(url)
      .POST(HttpRequest.BodyPublishers.ofString(args[1])).build();
    int status = client.send(request, HttpResponse.BodyHandlers.ofString()).statusCode();
    if (status != 200) throw new Exception("Answered " + status);
  }
}
`;

Deno.test("the Java client is served under an unknown name", async (t) => {
  const java = await requireJava(t);
  if (java === undefined) return;
  await using service = await start();
  const file = await Deno.makeTempFile({ suffix: ".java" });
  try {
    await Deno.writeTextFile(file, JAVA);
    const url = `http://${HOST}:${service.ingress.port}/emails`;
    await runOk(java, [file, url, MAIL], { timeoutMs: 60_000 });
  } finally {
    await Deno.remove(file);
  }
  checkMails(service, 1);
});
