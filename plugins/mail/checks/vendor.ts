import type { CheckTopic } from "../../../core/plugin.ts";
import { attachmentPlace } from "./places.ts";
import type { MailSubject } from "./subject.ts";

/** Kinds of files that Gmail refuses; other receivers refuse most of them, too. */
const BLOCKED = new Set(
  ("ade adp apk appx appxbundle bat cab chm cmd com cpl diagcab diagcfg diagpkg dll dmg ex ex_ exe hta img ins iso isp " +
    "jar jnlp js jse lib lnk mde mjs msc msi msix msixbundle msp mst nsh pif ps1 scr sct shb sys vb vbe vbs vhd vxd " +
    "wsc wsf wsh xll").split(" "),
);

/** Checks of content that vendors pass on, but receivers refuse. */
export const vendorTopic: CheckTopic<MailSubject> = {
  checks: [
    {
      id: "mail.attachment_type",
      level: "error",
      about: "An attachment is of a file type that Gmail refuses",
      source: "https://support.google.com/mail/answer/6590",
    },
  ],
  *find({ mail }) {
    for (const [at, { filename = "" }] of (mail.attachments ?? []).entries()) {
      const ending = filename.slice(filename.lastIndexOf(".") + 1).trim().toLowerCase();
      if (!filename.includes(".") || !BLOCKED.has(ending)) continue;
      yield {
        id: "mail.attachment_type",
        message: `${JSON.stringify(filename.slice(-100))}: Gmail refuses .${ending} files`,
        ...attachmentPlace(at, filename),
      };
    }
  },
};
