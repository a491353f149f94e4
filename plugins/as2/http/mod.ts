/**
 * AS2 over HTTP (RFC 4130): `POST /as2`, answered with the receipt, and `GET /as2/certificate` for partners.
 *
 * @module
 */
import { join } from "@std/path/join";
import { compact } from "../../../core/compact.ts";
import { ConfigError } from "../../../core/errors.ts";
import {
  boolean,
  bytes,
  defineOptions,
  list,
  optionalPath,
  optionalText,
  text,
} from "../../../core/options/spec.ts";
import {
  type IngressCall,
  ingressProvider,
  type ProviderEnv,
  type Refusal,
} from "../../../core/plugin.ts";
import type { As2State } from "../capture.ts";
import { IdentityHolder } from "../identity.ts";
import { snippets } from "./snippets.ts";

const READ = { access: "read" } as const;

const OPTIONS = defineOptions({
  cert_file: optionalPath("Certificate to use, PEM; needs key_file", READ),
  key_file: optionalPath("Private key of cert_file, unencrypted PEM", READ),
  partner_cert_file: optionalPath(
    "Certificate that messages are expected to be signed with, PEM",
    READ,
  ),
  cert_dir: optionalPath(
    "Folder where a generated certificate and its key are kept; beside the configuration file unless given",
  ),
  common_name: text("Common name of a generated certificate", "standin AS2"),
  in_memory: boolean("Generate a key for this run only, and write nothing to disk", false),
  as2_to: optionalText(
    "AS2 name that messages are expected to be sent to; others are captured too",
    {
      flag: "as2-to",
    },
  ),
  paths: list("Further paths of the ingress at which messages are taken, beside /as2", [], {
    example: ["/inbox"],
  }),
  max_body: bytes("Largest request body, and largest size after decompression", 64 * 1024 * 1024),
});

type Env = ProviderEnv<typeof OPTIONS, As2State>;

const PATH = "/as2";

/** Receiver of AS2 messages. */
export const http = ingressProvider<As2State, typeof OPTIONS>({
  id: "http",
  title: "AS2",
  about:
    "Takes AS2 messages as a trading partner does: opens every layer, and answers with a receipt",
  flagPrefix: "as2",
  options: OPTIONS,
  routes: [
    {
      method: "POST",
      path: PATH,
      alsoAt: ({ paths }) => paths,
      about: "Send a message",
      async handle(call, env) {
        const { receive } = await capturing();
        return await receive(call, env, { to: env.values.as2_to, maxBytes: env.values.max_body });
      },
    },
    {
      method: "GET",
      path: `${PATH}/certificate`,
      about: "The certificate to encrypt for",
      handle: (_call, env) => certificate(env),
    },
  ],
  bodyLimit: (values) => values.max_body,
  open,
  refuse,
  snippets: (at, values) => snippets(`${at.url}${PATH}`, values.as2_to ?? "standin"),
});

/** Loaded with the first message, as it brings the libraries of certificates along. */
function capturing(): Promise<typeof import("../capture.ts")> {
  return import("../capture.ts");
}

async function open({ values, ctx, state }: Env): Promise<void> {
  const { cert_file: cert, key_file: key, partner_cert_file: partnerFile } = values;
  if ((cert === undefined) !== (key === undefined)) {
    const [given, missing] = cert === undefined
      ? ["key_file", "cert_file"]
      : ["cert_file", "key_file"];
    throw new ConfigError(
      `Cannot use ${given} of as2/http without ${missing}: they must be given together`,
    );
  }
  const folder = values.cert_dir ?? ctx.fileFolder ??
    (ctx.configFolder && join(ctx.configFolder, "as2"));
  state.identity = new IdentityHolder({
    ...compact({
      files: cert === undefined || key === undefined ? undefined : { cert, key },
      partnerFile,
    }),
    ...(folder === undefined || values.in_memory ? {} : { folder }),
    commonName: values.common_name,
    log: ctx.log,
    now: () => ctx.now(),
  });
  await state.identity.readFiles();
}

async function certificate({ state }: Env): Promise<Response> {
  const identity = await state.identity?.obtain();
  const headers = { "content-type": "text/plain; charset=utf-8" };
  if (identity?.own === undefined) {
    const reason = identity?.info.error ?? "The service has none";
    return new Response(`Cannot give a certificate: ${reason}\n`, { status: 503, headers });
  }
  return new Response(identity.own.pem, { headers: { "content-type": "application/x-pem-file" } });
}

/** What the issue of a message says that was not opened. */
const REFUSED: Partial<Record<Refusal["kind"], string>> = {
  too_large: "body-too-large",
  bad_encoding: "unparsable-body",
  internal: "internal-fault",
};

async function refuse(call: IngressCall, refusal: Refusal, env: Env): Promise<Response> {
  const code = REFUSED[refusal.kind];
  if (code !== undefined) {
    const { captureRefused } = await capturing();
    captureRefused(call, env, { code, detail: refusal.message });
  }
  return new Response(`${refusal.message}\n`, {
    status: refusal.status,
    headers: {
      "content-type": "text/plain; charset=utf-8",
      ...compact({ allow: refusal.allow?.join(", ") }),
    },
  });
}
