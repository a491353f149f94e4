/**
 * AS2 over HTTP (RFC 4130): `POST /as2`, answered with the receipt, and `GET /as2/certificate` for partners.
 *
 * @module
 */
import { join } from "@std/path/join";
import { compact } from "../../../core/compact.ts";
import { ConfigError } from "../../../core/errors.ts";
import { onDemand } from "../../../core/on_demand.ts";
import { type IngressCall, ingressProvider, type Refusal } from "../../../core/plugin.ts";
import type { As2State } from "../capture.ts";
import { IdentityHolder } from "../identity.ts";
import { FAULTS } from "./faults.ts";
import { type Env, OPTIONS } from "./options.ts";
import { refuse, toVendorRefusal } from "./reply.ts";
import { capturing, readEnvelope } from "./request.ts";
import { snippets } from "./snippets.ts";

const handler = onDemand(() => import("./handlers.ts"));

const PATH = "/as2";

/** Receiver of AS2 messages. */
export const http = ingressProvider<As2State, typeof OPTIONS>({
  id: "http",
  title: "AS2",
  about:
    "Accepts AS2 messages as a trading partner does: opens every layer, and answers with a receipt",
  flagPrefix: "as2",
  options: OPTIONS,
  routes: [
    {
      method: "POST",
      path: PATH,
      alsoAt: ({ paths }) => paths,
      about: "Send a message",
      handle: handler("take"),
    },
    {
      method: "GET",
      path: `${PATH}/certificate`,
      about: "Get the certificate to encrypt with",
      handle: handler("giveCertificate"),
    },
  ],
  bodyLimit: (values) => values.max_body,
  open,
  refuse: refuseCall,
  faults: FAULTS,
  callbacks: {
    inbound: "Partner that receives documents over AS2",
    load: async () => (await import("./callbacks.ts")).CALLBACKS,
  },
  snippets: (at, values) => snippets(`${at.url}${PATH}`, values.as2_to ?? "standin"),
});

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

/** Issue codes of messages that were not opened. */
const REFUSED: Partial<Record<Refusal["kind"], string>> = {
  too_large: "body-too-large",
  bad_encoding: "unparsable-body",
  internal: "internal-fault",
};

async function refuseCall(call: IngressCall, refusal: Refusal, env: Env): Promise<Response> {
  const code = REFUSED[refusal.kind];
  if (code !== undefined) {
    const { captureRefused } = await capturing();
    const issue = { code, detail: refusal.message };
    captureRefused(call, env, { envelope: readEnvelope(call), issue });
  }
  return refuse(toVendorRefusal(refusal));
}
