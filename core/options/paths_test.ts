import { assertEquals, assertThrows } from "@std/assert";
import { homeFolder, resolvePath, userConfigFolder } from "./paths.ts";

const env = (variables: Readonly<Record<string, string>>) => (name: string) => variables[name];

Deno.test("the configuration folder follows the rules of each system", () => {
  const home = { HOME: "/home/ada" };
  const table = [
    ["linux", home, "/home/ada/.config/standin"],
    ["linux", { ...home, XDG_CONFIG_HOME: "/etc/ada" }, "/etc/ada/standin"],
    ["linux", { ...home, XDG_CONFIG_HOME: "relative" }, "/home/ada/.config/standin"],
    ["linux", { ...home, XDG_CONFIG_HOME: "" }, "/home/ada/.config/standin"],
    ["linux", {}, undefined],
    ["darwin", home, "/home/ada/Library/Application Support/standin"],
    ["darwin", {}, undefined],
    ["windows", { APPDATA: "/appdata" }, "/appdata/standin"],
    ["windows", home, undefined],
  ] as const;
  for (const [os, variables, wanted] of table) {
    assertEquals(
      userConfigFolder(env(variables), os),
      wanted,
      `${os} ${JSON.stringify(variables)}`,
    );
  }
});

Deno.test("the home folder is read from the environment", () => {
  assertEquals(homeFolder(env({ HOME: "/a", USERPROFILE: "/b" })), "/a");
  assertEquals(homeFolder(env({ HOME: "", USERPROFILE: "/b" })), "/b");
  assertEquals(homeFolder(env({})), undefined);
});

Deno.test("a path starts in its folder, in the home folder, or at the root", () => {
  const options = { folder: "/etc/app", home: "/home/ada" };
  assertEquals(resolvePath("data", options), "/etc/app/data");
  assertEquals(resolvePath("./data/../keys", options), "/etc/app/keys");
  assertEquals(resolvePath("/var/data", options), "/var/data");
  assertEquals(resolvePath("~", options), "/home/ada");
  assertEquals(resolvePath("~/data", options), "/home/ada/data");
  assertEquals(resolvePath("~ada/data", options), "/etc/app/~ada/data");
  assertEquals(resolvePath("data"), "data");
  assertThrows(() => resolvePath("~/data"), TypeError, "the home folder is not known");
});
