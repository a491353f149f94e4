/**
 * Addresses in texts and buttons. What the vendor's server accepts, and its words:
 * https://github.com/tdlib/td/blob/master/td/telegram/LinkManager.cpp (`check_link`, whose
 * `parse_url` is in tdutils/td/utils/HttpUrl.cpp).
 */

/** An address in the vendor's form, or what is wrong with it. */
export type Link = { readonly url: string } | { readonly error: string };

const SCHEME = /^(tg|tonsite|ton):(?:\/\/)?/i;

/** Checks an address; a web app and a login need `https`. */
export function readLink(link: string, needs: "any" | "https" = "any"): Link {
  const own = SCHEME.exec(link);
  const scheme = own?.[1]?.toLowerCase();
  const url = parseUrl(link.slice(own?.[0].length ?? 0));
  if (typeof url === "string") return { error: url };
  if (needs === "https" && (url.scheme !== "https" || scheme !== undefined)) {
    return { error: "Only HTTPS links are allowed" };
  }
  if (scheme !== undefined) return ownLink(scheme, url);
  // Thus `localhost` and other names without a dot are refused.
  if (!url.host.includes(".") && !url.host.startsWith("[")) return { error: "Wrong HTTP URL" };
  return { url: `${url.scheme}://${url.login}${url.host}${url.port}${url.rest}` };
}

function ownLink(scheme: string, url: Parts): Link {
  const { host, login, port, isGiven, rest } = url;
  if (isGiven || login !== "" || port !== "" || host.startsWith("[")) {
    return { error: scheme === "tg" ? "Wrong tg URL" : "Wrong ton URL" };
  }
  const allowed = scheme === "tonsite" ? /^[a-z0-9_.-]*$/ : /^[a-z0-9_-]*$/;
  if (!allowed.test(host)) return { error: "Unallowed characters in URL host" };
  return { url: `${scheme}://${host}${rest.startsWith("/?") ? rest.slice(1) : rest}` };
}

interface Parts {
  readonly scheme: string;
  /** Whether the scheme was given. */
  readonly isGiven: boolean;
  /** With its `@`; empty without one. */
  readonly login: string;
  readonly host: string;
  /** With its colon; empty without one. */
  readonly port: string;
  readonly rest: string;
}

const PORTS = 65_535;
/** Characters of a host; others of ASCII are not allowed. */
const HOST = /^(?:[\w.!$,~*'();&+=\-]|%[0-9a-f]{2}|[^\p{ASCII}])*$/iu;
const LOGIN = /^(?:[\w.!$,~*'();&+=:\-]|%[0-9a-f]{2}|[^\p{ASCII}])*$/iu;

/** Returns the parts of an address without or with `http` and `https`, or what is wrong. */
function parseUrl(url: string): Parts | string {
  const given = /^([^:/?#@[\]]*):\/\//.exec(url);
  const scheme = given?.[1]?.toLowerCase() ?? "http";
  if (scheme !== "http" && scheme !== "https") return "Unsupported URL protocol";
  const after = url.slice(given?.[0].length ?? 0);
  const end = after.search(/[/?#]/);
  const authority = end < 0 ? after : after.slice(0, end);
  const [, userHost, portText] = /^([^]+):([^:\]@]*)$/.exec(authority) ?? [, authority];
  const port = portText === undefined ? undefined : Number(/^\d+$/.test(portText) ? portText : 0);
  if (port !== undefined && (port < 1 || port > PORTS)) {
    return "Wrong port number specified in the URL";
  }
  const at = userHost!.lastIndexOf("@");
  const host = userHost!.slice(at + 1).toLowerCase();
  const login = userHost!.slice(0, at + 1);
  if (host === "") return "URL host is empty";
  if (host === ".") return "Host is invalid";
  const isV6 = host.startsWith("[") && host.endsWith("]");
  if (isV6 && !URL.canParse(`http://${host}/`)) return "Wrong IPv6 address specified in the URL";
  if (!isV6) {
    for (
      const [part, name, allowed] of [[host, "host", HOST], [login, "userinfo", LOGIN]] as const
    ) {
      const text = name === "host" ? part : part.slice(0, -1);
      if (/%(?![0-9a-f]{2})/i.test(text)) return `Wrong percent-encoded symbol in URL ${name}`;
      if (!allowed.test(text)) return `Disallowed character in URL ${name}`;
    }
  }
  const rest = (end < 0 ? "" : after.slice(end)).trimEnd();
  return {
    scheme,
    isGiven: given !== null,
    login,
    host,
    port: port === undefined ? "" : `:${port}`,
    rest: (rest.startsWith("/") ? rest : `/${rest}`)
      .replace(/[\t-\r ]/g, (one) => `%${one.charCodeAt(0).toString(16).padStart(2, "0")}`),
  };
}

/** Returns the parameters of an address of `tg`; `undefined` for another host. */
export function tgParameters(url: string, host: string): ReadonlyMap<string, string> | undefined {
  const found = /^tg:(?:\/\/)?([^/?#]*)\/?\?([^#]*)/i.exec(url);
  if (found === null || found[1]!.toLowerCase() !== host) return undefined;
  return new Map(
    found[2]!.split("&").map((pair) => {
      const [key = "", value = ""] = pair.split(/=([^]*)/);
      return [key, value] as const;
    }),
  );
}

/** Returns the id of the user that a link mentions: https://core.telegram.org/bots/api#formatting-options */
export function mentionedUser(url: string): number | undefined {
  const id = tgParameters(url, "user")?.get("id") ?? "";
  return /^[1-9]\d{0,14}$/.test(id) ? Number(id) : undefined;
}
