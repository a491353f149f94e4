/** Settings of the provider, and the environment of its handlers. */
import {
  boolean,
  bytes,
  defineOptions,
  list,
  optionalPath,
  optionalText,
  text,
} from "../../../core/options/spec.ts";
import type { ProviderEnv } from "../../../core/plugin.ts";
import type { As2State } from "../capture.ts";

const READ = { access: "read" } as const;

/** Settings of the provider. */
export const OPTIONS = defineOptions({
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

/** Environment of a handler. */
export type Env = ProviderEnv<typeof OPTIONS, As2State>;
