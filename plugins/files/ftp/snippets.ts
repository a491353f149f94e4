import type { Endpoint, Snippet } from "../../../core/plugin.ts";

/** What a client has to log in with. */
export interface SnippetCredentials {
  readonly username: string | undefined;
  readonly password: string | undefined;
}

/** One file to the listener with each of three clients. */
export function snippets(at: Endpoint, pinned: SnippetCredentials): readonly Snippet[] {
  const user = pinned.username ?? "user";
  const password = pinned.password ?? "secret";
  return [
    {
      title: "curl",
      lang: "sh",
      code: `printf 'Hello Ada' |
  curl --silent --show-error --user ${shell(`${user}:${password}`)} \\
  --upload-file - ${at.url}/hello.txt`,
    },
    {
      title: "lftp",
      lang: "sh",
      code: `printf 'Hello Ada' >hello.txt
lftp -u ${shell(`${user},${password}`)} -p ${at.port} ${at.hostname} -e 'put hello.txt; bye'`,
    },
    {
      title: "Python (ftplib)",
      lang: "python",
      // JSON text is a Python literal too.
      code: `import io
from ftplib import FTP

with FTP() as ftp:
    ftp.connect(${JSON.stringify(at.hostname)}, ${at.port})
    ftp.login(${JSON.stringify(user)}, ${JSON.stringify(password)})
    ftp.storbinary("STOR hello.txt", io.BytesIO(b"Hello Ada"))`,
    },
  ];
}

function shell(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
