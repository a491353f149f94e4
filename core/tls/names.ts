/** Returns the bytes of an IP address in a certificate (RFC 5280 section 4.2.1.6); `undefined` for a host name. */
export function parseIp(text: string): Uint8Array<ArrayBuffer> | undefined {
  const v4 = parseIpv4(text);
  if (v4 !== undefined) return Uint8Array.from(v4);
  if (!text.includes(":") || !/^[0-9a-f:.]+$/i.test(text)) return undefined;
  // An IPv4 tail is two groups (RFC 4291 section 2.2).
  const tail = /(?<=:)\d+\.\d+\.\d+\.\d+$/.exec(text);
  const four = tail === null ? undefined : parseIpv4(tail[0]);
  if (tail !== null && four === undefined) return undefined;
  const hex = four === undefined
    ? text
    : text.slice(0, tail!.index) + group(four[0]!, four[1]!) + ":" + group(four[2]!, four[3]!);
  const halves = hex.split("::");
  if (halves.length > 2) return undefined;
  const [before, after] = halves.map((half) => half === "" ? [] : half.split(":"));
  const missing = 8 - before!.length - (after?.length ?? 0);
  if (after === undefined ? missing !== 0 : missing < 1) return undefined;
  const groups = [...before!, ...Array<string>(missing).fill("0"), ...(after ?? [])];
  if (!groups.every((one) => /^[0-9a-f]{1,4}$/i.test(one))) return undefined;
  return Uint8Array.from(groups.flatMap((one) => {
    const value = parseInt(one, 16);
    return [value >> 8, value & 0xff];
  }));
}

function parseIpv4(text: string): number[] | undefined {
  const parts = text.split(".");
  if (parts.length !== 4 || !parts.every((part) => /^\d{1,3}$/.test(part))) return undefined;
  const bytes = parts.map(Number);
  return bytes.every((byte) => byte <= 255) ? bytes : undefined;
}

function group(high: number, low: number): string {
  return (high * 256 + low).toString(16);
}
