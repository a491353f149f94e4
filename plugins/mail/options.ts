import { defineOptions, optionalServer, textTable } from "../../core/options/spec.ts";
import { checkKeySetting } from "./checks/dkim/key.ts";

/** Settings of `[plugins.mail]`. */
export const OPTIONS = defineOptions({
  spamassassin: optionalServer(
    "Address of SpamAssassin's spamd, for email checks; on this machine, or allowed by [callbacks] allow",
    { scheme: "spamd", example: "localhost:783" },
  ),
  dkim_keys: textTable(
    "TXT records of keys to verify DKIM signatures with, by names such as " +
      '"selector._domainkey.example.org"',
    { entry: checkKeySetting },
  ),
});
