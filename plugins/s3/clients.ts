import type { ClientSetting } from "../../core/plugin.ts";

/** Clients of the object store. */
export const CLIENTS: readonly ClientSetting[] = [
  {
    provider: "http",
    client: "@aws-sdk/client-s3 (Node)",
    code: ({ url }) => `endpoint: "${url}", forcePathStyle: true`,
  },
  {
    provider: "http",
    client: "boto3 (Python)",
    code: ({ url }) => `endpoint_url="${url}", config=Config(s3={"addressing_style": "path"})`,
  },
  { provider: "http", client: "aws (program)", code: ({ url }) => `--endpoint-url ${url}` },
];
