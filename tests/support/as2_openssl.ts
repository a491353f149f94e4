/** AS2 messages built by openssl, and posted to a service with the sending partner configured. */
import { assertEquals } from "@std/assert";
import { as2 } from "../../plugins/as2/mod.ts";
import type { MessageEnvelope } from "../../plugins/as2/views.ts";
import { findProgram, runOk, skipTest } from "./clients.ts";
import { startService, type TestService } from "./service.ts";

/** Messages that openssl encrypts for the service, or signs with embedded content. */
export const ENVELOPED = "application/pkcs7-mime; smime-type=enveloped-data; name=smime.p7m";
export const OPAQUE = "application/pkcs7-mime; smime-type=signed-data; name=smime.p7m";

/** A folder with the service's certificate and a partner's keys, in which openssl runs. */
export class OpenSslPartner implements AsyncDisposable {
  constructor(
    readonly service: TestService,
    readonly folder: string,
    readonly program: string,
  ) {}

  static async open(t: Deno.TestContext, partner = true): Promise<OpenSslPartner | undefined> {
    const program = findProgram("openssl");
    if (program === undefined) {
      skipTest(t, "openssl", "is not installed");
      return undefined;
    }
    const folder = await Deno.makeTempDir();
    const key = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", "key.pem"];
    await runOk(program, [...key, "-out", "cert.pem", "-subj", "/CN=partner"], { cwd: folder });
    const config = partner ? { partner_cert_file: `${folder}/cert.pem` } : {};
    return await OpenSslPartner.#start({ folder, program, config });
  }

  /** The same partner with a service that is configured differently. */
  async beside(config: Readonly<Record<string, unknown>>): Promise<OpenSslPartner> {
    const folder = await Deno.makeTempDir();
    return await OpenSslPartner.#start({ folder, program: this.program, config });
  }

  static async #start(
    { folder, program, config }: {
      folder: string;
      program: string;
      config: Readonly<Record<string, unknown>>;
    },
  ): Promise<OpenSslPartner> {
    const service = await startService({
      plugins: [as2],
      config: { plugins: { as2: { providers: { http: config } } } },
    });
    const partner = new OpenSslPartner(service, folder, program);
    const certificate = await fetch(`${service.ingress.url}/as2/certificate`);
    const text = await certificate.text();
    // Optional for a service.
    if (certificate.ok) {
      assertEquals(certificate.headers.get("content-type"), "application/x-pem-file");
      await partner.write("standin.pem", text);
    }
    return partner;
  }

  async write(name: string, content: string | Uint8Array): Promise<void> {
    const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
    await Deno.writeFile(`${this.folder}/${name}`, bytes);
  }

  async read(name: string): Promise<Uint8Array<ArrayBuffer>> {
    return await Deno.readFile(`${this.folder}/${name}`);
  }

  async openssl(...args: string[]): Promise<void> {
    await runOk(this.program, args, { cwd: this.folder });
  }

  /** Runs `openssl cms` over bytes and returns what it wrote. */
  async cms(content: string | Uint8Array, ...args: string[]): Promise<Uint8Array<ArrayBuffer>> {
    await this.write("in", content);
    await this.openssl("cms", "-in", "in", "-out", "out", "-binary", ...args);
    return await this.read("out");
  }

  async sign(content: string | Uint8Array, ...args: string[]): Promise<Uint8Array<ArrayBuffer>> {
    const signer = ["-sign", "-signer", "cert.pem", "-inkey", "key.pem", "-outform", "DER"];
    return await this.cms(content, ...signer, ...args);
  }

  /** multipart/signed: its content type and body. */
  async signDetached(
    content: string | Uint8Array,
    ...args: string[]
  ): Promise<readonly [string, Uint8Array<ArrayBuffer>]> {
    const signature = (await this.sign(content, ...args)).toBase64();
    const text = new TextEncoder();
    const body = Uint8Array.from([
      ...text.encode("--b\r\n"),
      ...typeof content === "string" ? text.encode(content) : content,
      ...text.encode(
        "\r\n--b\r\nContent-Type: application/pkcs7-signature\r\n" +
          `Content-Transfer-Encoding: base64\r\n\r\n${signature}\r\n--b--\r\n`,
      ),
    ]);
    const type =
      "multipart/signed; protocol=application/pkcs7-signature; micalg=sha-256; boundary=b";
    return [type, body];
  }

  async encrypt(content: string | Uint8Array, ...args: string[]): Promise<Uint8Array<ArrayBuffer>> {
    const more = args.length === 0 ? ["-aes128"] : args;
    const to = more.includes("-recip") ? [] : ["standin.pem"];
    return await this.cms(content, "-encrypt", "-outform", "DER", ...more, ...to);
  }

  async post(
    contentType: string,
    body: Uint8Array | string,
    headers: Record<string, string> = {},
  ): Promise<
    { readonly envelope: MessageEnvelope; readonly response: Response; readonly mdn: string }
  > {
    const response = await fetch(`${this.service.ingress.url}/as2`, {
      method: "POST",
      body: body as Uint8Array<ArrayBuffer>,
      headers: {
        "content-type": contentType,
        "as2-version": "1.1",
        "as2-from": '"My Partner"',
        "as2-to": "standin",
        "message-id": `<${crypto.randomUUID()}@partner>`,
        "disposition-notification-to": "partner@example.com",
        ...headers,
      },
    });
    const mdn = await response.text();
    const id = response.headers.get("x-service-event-url")!.split("/").at(-1);
    const envelope = await this.service.getJson<MessageEnvelope>(`/as2/messages/${id}`);
    return { envelope, response, mdn };
  }

  async payload({ payload_url }: MessageEnvelope): Promise<string> {
    return await (await fetch(`${this.service.api.url}${payload_url}`)).text();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.service[Symbol.asyncDispose]();
    await Deno.remove(this.folder, { recursive: true });
  }
}

/** Codes of the message's issues. */
export function codes({ message: { issues = [] } }: MessageEnvelope): string[] {
  return issues.map(({ code }) => code);
}
