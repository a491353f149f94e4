/** Names that only this machine or its network resolve: RFC 6761, RFC 6762, RFC 8375 and RFC 2606. */
const PRIVATE_NAME = /(^|\.)(localhost|local|internal|test|invalid|lan|home\.arpa|localdomain)\.?$/;

/** Addresses of RFC 1918, RFC 1122, RFC 3927 and RFC 6598. */
const PRIVATE_V4 =
  /^(127|10|0)\.|^192\.168\.|^172\.(1[6-9]|2\d|3[01])\.|^169\.254\.|^100\.(6[4-9]|[789]\d|1[01]\d|12[0-7])\./;

/** Loopback of RFC 4291, unique local addresses of RFC 4193 and link-local ones. */
const PRIVATE_V6 = /^\[(::1?|f[cd][0-9a-f]{2}:.*|fe[89ab][0-9a-f]:.*)\]$/i;

/** Returns the host of a link that other machines cannot reach; `undefined` for every other link. */
export function privateHostOf(link: string): string | undefined {
  if (!/^(https?|ftp|wss?):\/\//i.test(link) || !URL.canParse(link)) return undefined;
  const { hostname } = new URL(link);
  if (/^\d+\.\d+\.\d+\.\d+$/.test(hostname)) {
    return PRIVATE_V4.test(hostname) ? hostname : undefined;
  }
  if (hostname.startsWith("[")) return PRIVATE_V6.test(hostname) ? hostname : undefined;
  const isPrivate = PRIVATE_NAME.test(hostname) || !hostname.includes(".");
  return isPrivate ? hostname : undefined;
}
