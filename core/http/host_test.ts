import { assertEquals } from "@std/assert";
import { hostOf } from "./host.ts";

Deno.test.each<[string, string]>([
  ["http://api.example.org/v3/mail", "api.example.org"],
  ["http://api.example.org:8080/v3/mail", "api.example.org:8080"],
  ["http://127.0.0.1:8025/", "127.0.0.1:8025"],
  ["http://[::1]:8025/a", "[::1]:8025"],
  ["http://API.Example.org/", "api.example.org"],
  ["http://user@api.example.org/", "api.example.org"],
  ["http://api.example.org:80/", "api.example.org"],
  ["https://api.example.org:443/", "api.example.org"],
  ["http://api.example.org:8025?a=/", "api.example.org:8025"],
])("over HTTP/2 the host of %s is %s", (url, host) => {
  const call = { headers: new Headers(), version: "2", request: { url } as Request } as const;
  assertEquals(hostOf(call), host);
  assertEquals(
    hostOf({ ...call, headers: new Headers({ host: "other.example" }) }),
    "other.example",
  );
});
