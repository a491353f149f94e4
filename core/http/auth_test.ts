import { assertEquals } from "@std/assert";
import { matchesSecret, presentedCredentials, readBasic, readBearer, writeBasic } from "./auth.ts";

Deno.test("readBasic() splits at the first colon", () => {
  assertEquals(readBasic(`Basic ${btoa("key:se:cret")}`), {
    username: "key",
    password: "se:cret",
  });
});

Deno.test("readBasic() reads UTF-8, and ISO-8859-1 where it is no UTF-8", () => {
  assertEquals(readBasic("Basic w7w6cw==")?.username, "ü");
  assertEquals(readBasic("Basic /Dpz")?.username, "ü");
});

Deno.test("writeBasic() writes what readBasic() reads", () => {
  const login = { username: "Ω", password: "a:b" };
  assertEquals(readBasic(writeBasic(login.username, login.password)), login);
});

Deno.test("readBasic() takes any case of the scheme, and missing padding", () => {
  assertEquals(readBasic("basic azpz"), { username: "k", password: "s" });
  assertEquals(readBasic("BASIC  a2V5OnM"), { username: "key", password: "s" });
});

for (const header of [null, "", "Bearer x", "Basic", "Basic !", "Basic a2V5", "Basic a"]) {
  Deno.test(`readBasic() reads nothing from ${JSON.stringify(header)}`, () => {
    assertEquals(readBasic(header), undefined);
  });
}

Deno.test("readBearer() returns the token, and nothing for other schemes", () => {
  assertEquals(readBearer("Bearer SG.key"), "SG.key");
  assertEquals(readBearer("bearer  SG.key "), "SG.key");
  for (const header of [null, "Bearer", "Bearer ", "Bearer a b", "Basic azpz"]) {
    assertEquals(readBearer(header), undefined);
  }
});

Deno.test("presentedCredentials() names Basic credentials, keeps other schemes as sent", () => {
  const of = (authorization: string) => presentedCredentials(new Headers({ authorization }));
  assertEquals(of("Basic azpz"), { basic_auth: { username: "k", password: "s" } });
  assertEquals(of("Bearer SG.key"), { authorization: "Bearer SG.key" });
  assertEquals(of("Basic !"), { authorization: "Basic !" });
  assertEquals(presentedCredentials(new Headers()), undefined);
});

Deno.test("matchesSecret() is true for equal text only", () => {
  assertEquals(matchesSecret("secret", "secret"), true);
  assertEquals(matchesSecret("", ""), true);
  for (const given of [undefined, "", "s", "Secret", "secret ", "secretsecret", "ecrets"]) {
    assertEquals(matchesSecret(given, "secret"), false, String(given));
  }
  assertEquals(matchesSecret(undefined, ""), false);
  assertEquals(matchesSecret("aaaa", "aa"), false);
});
