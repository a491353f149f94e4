import type { Endpoint, Snippet } from "../../../core/plugin.ts";

/** How to mount the tree, and how to copy a file to it without a mount. */
export function snippets({ hostname, port }: Endpoint): readonly Snippet[] {
  // `proto=tcp` means IPv4, and a name may mean the other loopback address first.
  const host = hostname === "localhost" ? "127.0.0.1" : hostname;
  // There is no portmapper and no lock manager: ports are explicit, and locks are local to the client.
  const linux =
    `vers=3,proto=tcp,port=${port},mountport=${port},mountproto=tcp,nolock,soft,timeo=50`;
  // A missing name would otherwise stay missing for up to a minute.
  const mac = `vers=3,tcp,port=${port},mountport=${port},nolocks,soft,nonegnamecache`;
  return [
    {
      title: "Mount on Linux",
      lang: "sh",
      code: `sudo mkdir -p /mnt/standin
sudo mount -t nfs -o ${linux} \\
  ${host}:/ /mnt/standin`,
    },
    {
      title: "Mount on macOS",
      lang: "sh",
      code: `mkdir -p ~/standin
sudo mount -t nfs -o ${mac} \\
  ${host}:/ ~/standin`,
    },
    {
      title: "libnfs, without a mount",
      lang: "sh",
      // Two slashes: a newer libnfs requires a name for the export, and that of the root is `/`.
      code: `printf 'Hello Ada' >hello.txt
nfs-cp hello.txt \\
  'nfs://${host}//hello.txt?version=3&nfsport=${port}&mountport=${port}'`,
    },
  ];
}
