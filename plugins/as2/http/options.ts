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
    "Expected signing certificate of the partner, PEM",
    READ,
  ),
  cert_dir: optionalPath(
    "Folder for a generated certificate and its key; by default next to the configuration file",
  ),
  common_name: text("Common name of a generated certificate", "standin AS2"),
  in_memory: boolean("Generate a key for this run only, and write nothing to disk", false),
  as2_to: optionalText(
    "Expected AS2 name of the receiver; messages to others are captured too",
    {
      flag: "as2-to",
    },
  ),
  paths: list("Ingress paths that accept messages, in addition to /as2", [], {
    example: ["/inbox"],
  }),
  max_body: bytes(
    "Maximum size of a request body, and of a message after decompression",
    64 * 1024 * 1024,
  ),
});

/** Environment of a handler. */
export type Env = ProviderEnv<typeof OPTIONS, As2State>;
