/** Pages of other sites that upload to the object store, by presigned URLs and forms, as CORS rules allow. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import {
  PutBucketCorsCommand,
  PutObjectCommand,
  type S3Client,
} from "npm:@aws-sdk/client-s3@3.1169.0";
import { createPresignedPost } from "npm:@aws-sdk/s3-presigned-post@3.1163.0";
import { getSignedUrl } from "npm:@aws-sdk/s3-request-presigner@3.1162.0";
import { s3 } from "../../plugins/s3/mod.ts";
import { foreignSiteTest, type Visit } from "../support/foreign_site.ts";
import { connectSdk } from "../support/s3_clients.ts";
import type { TestService } from "../support/service.ts";

const plugins = [s3];
const store = (options: Readonly<Record<string, unknown>> = {}) => ({
  plugins: { s3: { providers: { http: { buckets: ["box"], ...options } } } },
});

/** What a page sees of an upload: status and ETag, or `hidden`. */
type Seen = readonly [status: number, etag: string | null] | "hidden";

const HELLO: Seen = [200, '"8b1a9953c4611296a827abf8c47804d7"'];

async function uploadByUrl({ page }: Visit, client: S3Client): Promise<Seen> {
  const command = new PutObjectCommand({ Bucket: "box", Key: "by-url", ContentType: "text/plain" });
  const url = await getSignedUrl(client, command);
  return await page.evaluate<Seen>(
    `fetch(${JSON.stringify(url)}, {
      method: "PUT", body: "Hello", headers: { "content-type": "text/plain" }
    }).then((answer) => [answer.status, answer.headers.get("etag")], () => "hidden")`,
  );
}

async function uploadByForm({ page }: Visit, client: S3Client): Promise<Seen> {
  const { url, fields } = await createPresignedPost(client, {
    Bucket: "box",
    Key: "by-form/${filename}",
    Conditions: [["content-length-range", 1, 100], ["starts-with", "$Content-Type", "text/"]],
    Fields: { "Content-Type": "text/plain", "success_action_status": "200" },
  });
  return await page.evaluate<Seen>(`(async () => {
    const form = new FormData();
    for (const [name, value] of ${JSON.stringify(Object.entries(fields))}) form.append(name, value);
    form.append("file", new File(["Hello"], "hello.txt"));
    return await fetch(${JSON.stringify(url)}, { method: "POST", body: form })
      .then((answer) => [answer.status, answer.headers.get("etag")], () => "hidden");
  })()`);
}

foreignSiteTest(
  "only a page of an origin in the CORS rules can upload, by presigned URL or form",
  async (visit) => {
    const { service, origin } = visit;
    using client = connectSdk(service.endpoint("http").url);
    assertEquals(await uploadByUrl(visit, client), "hidden");
    assertEquals(await uploadByForm(visit, client), "hidden");
    assertEquals(service.events.count(), 0);
    await client.send(
      new PutBucketCorsCommand({
        Bucket: "box",
        CORSConfiguration: {
          CORSRules: [{
            AllowedOrigins: [origin],
            AllowedMethods: ["PUT", "POST"],
            AllowedHeaders: ["content-type"],
            ExposeHeaders: ["ETag"],
          }],
        },
      }),
    );
    assertEquals(await uploadByUrl(visit, client), HELLO);
    assertEquals(await uploadByForm(visit, client), HELLO);
    const other = { ...visit, page: await visit.visit("other.example") };
    assertEquals(await uploadByUrl(other, client), "hidden");
    assertEquals(await uploadByForm(other, client), "hidden");
    assertEquals(keys(service), ["by-form/hello.txt", "by-url"]);
  },
  { plugins, config: store() },
);

foreignSiteTest(
  "local pages and those in --s3-cors-origins can upload to a bucket without rules",
  async (visit) => {
    using client = connectSdk(visit.service.endpoint("http").url);
    const local = { ...visit, page: await visit.visit("localhost") };
    for (const page of [visit, local]) {
      assertEquals(await uploadByUrl(page, client), HELLO);
      assertEquals(await uploadByForm(page, client), HELLO);
    }
    const other = { ...visit, page: await visit.visit("other.example") };
    assertEquals(await uploadByUrl(other, client), "hidden");
  },
  { plugins, configFor: (origin) => store({ cors_origins: [origin] }) },
);

foreignSiteTest(
  "a form upload redirects the browser as the form says",
  async (visit) => {
    const { service, page, until } = visit;
    const local = await visit.visit("localhost");
    const html = (origin: string) =>
      `<form method="post" enctype="multipart/form-data"
      action="${service.endpoint("http").url}/box">
      <input name="key" value="sent/\${filename}">
      <input name="success_action_redirect" value="${origin}/done">
      <input name="file" type="file"><button>Send</button></form>`;
    for (const one of [page, local]) {
      const { origin } = new URL(one.url());
      await one.evaluate(`document.body.innerHTML = ${JSON.stringify(html(origin))}`);
      await one.evaluate(`{
        const files = new DataTransfer();
        files.items.add(new File(["Hello"], "hello.txt"));
        document.querySelector("[type=file]").files = files.files;
      }`);
      await one.click("button");
    }
    await until("the form is there", () => keys(service).includes("sent/hello.txt"));
    await until("the browser goes on", () => local.url().includes("/done"));
    assertStringIncludes(local.url(), "/done?bucket=box&key=sent%2Fhello.txt&etag=%22");
    // The page of another site is shown why it is refused.
    const refusals = () => service.rejected.list().filter(({ status }) => status === 403);
    await until("the other form is refused", () => refusals().length > 0);
    assertEquals(keys(service), ["sent/hello.txt"]);
  },
  { plugins, config: store() },
);

function keys(service: TestService): readonly string[] {
  const put = service.events.list({ type: "s3.object.put" });
  const names = put.map(({ payload }) => (payload as { readonly key: string }).key);
  return [...new Set(names)].sort();
}
