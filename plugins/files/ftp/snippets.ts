import { shellWord } from "../../../core/bytes/text.ts";
import type { Endpoint, Snippet } from "../../../core/plugin.ts";

/** Context of the snippets. The password is a secret, so they read it from `FTP_PASSWORD` if it is set. */
export interface SnippetSettings {
  readonly username: string | undefined;
  readonly password: string | undefined;
  /** Whether TLS is offered. */
  readonly tls: boolean;
}

/** Uploads one file with each of three clients. */
export function snippets(at: Endpoint, settings: SnippetSettings): readonly Snippet[] {
  const user = settings.username ?? "user";
  const pinned = settings.password !== undefined;
  const login = (separator: string): string =>
    pinned
      ? `${shellWord(user + separator)}"$FTP_PASSWORD"`
      : shellWord(`${user}${separator}secret`);
  // It uses TLS wherever it is offered, and then fails because it does not know the CA.
  const clear = settings.tls ? "set ftp:ssl-allow no; " : "";
  return [
    {
      title: "curl",
      lang: "sh",
      code: `printf 'Hello Ada' |
  curl --silent --show-error --user ${login(":")} \\
  --upload-file - ${at.url}/hello.txt`,
    },
    {
      title: "lftp",
      lang: "sh",
      code: `printf 'Hello Ada' >hello.txt
lftp -u ${login(",")} -p ${at.port} ${at.hostname} \\
  -e '${clear}put hello.txt; bye'`,
    },
    { title: "Python (ftplib)", lang: "python", code: python(at, { user, pinned }) },
  ];
}

function python(
  { hostname, port }: Endpoint,
  { user, pinned }: { user: string; pinned: boolean },
): string {
  const password = pinned ? `os.environ["FTP_PASSWORD"]` : `"secret"`;
  // JSON text is also a Python literal.
  return `import io${pinned ? "\nimport os" : ""}
from ftplib import FTP

with FTP() as ftp:
    ftp.connect(${JSON.stringify(hostname)}, ${port})
    ftp.login(${JSON.stringify(user)}, ${password})
    ftp.storbinary("STOR hello.txt", io.BytesIO(b"Hello Ada"))`;
}
