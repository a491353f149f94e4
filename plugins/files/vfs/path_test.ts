import { assert, assertEquals, assertThrows } from "@std/assert";
import { fc } from "../../../tests/support/fast_check.ts";
import { VfsError } from "./errors.ts";
import { decodePath, namesOf, parentPath, resolvePath } from "./path.ts";

const CLEAN: readonly (readonly [path: string, base: string, resolved: string])[] = [
  ["", "/", "/"],
  ["/", "/a", "/"],
  ["a", "/", "/a"],
  ["a", "/b/c", "/b/c/a"],
  ["../../x", "/", "/x"],
  ["../x", "/a/b", "/a/x"],
  ["/a/./b//c/", "/", "/a/b/c"],
  ["a\\b\\..\\c", "/", "/a/c"],
  ["\\a", "/b", "/a"],
  ["C:\\a", "/", "/C:/a"],
  ["...", "/", "/..."],
  ["e\u0301", "/", "/e\u0301"],
  ["n".repeat(255), "/", `/${"n".repeat(255)}`],
  [Array(32).fill("d").join("/"), "/", `/${Array(32).fill("d").join("/")}`],
];

for (const [path, base, resolved] of CLEAN) {
  Deno.test(`"${path.slice(0, 40)}" seen from ${base} is ${resolved.slice(0, 40)}`, () => {
    assertEquals(resolvePath(path, base), resolved);
  });
}

const REFUSED: readonly (readonly [why: string, path: string])[] = [
  ["NUL", "a\0b"],
  ["a line end", "a\nb"],
  ["DEL", "a\x7f"],
  ["a C1 control character", "a\u0085"],
  ["a lone surrogate", "a\ud800"],
  ["a name of 256 bytes", "n".repeat(256)],
  ["a name of 128 letters of two bytes", "é".repeat(128)],
  ["33 levels", Array(33).fill("d").join("/")],
  ["5 000 characters", `/${"n".repeat(200)}`.repeat(25)],
];

for (const [why, path] of REFUSED) {
  Deno.test(`a path with ${why} is refused`, () => {
    const error = assertThrows(() => resolvePath(path), VfsError);
    assertEquals(error.code, "invalid_path");
    assert(!/\p{Cc}/u.test(error.message));
    assert(error.message.length < 400);
  });
}

Deno.test("bytes other than UTF-8 are refused", () => {
  assertEquals(
    assertThrows(() => decodePath(Uint8Array.of(0x61, 0xff)), VfsError).code,
    "invalid_path",
  );
  assertEquals(decodePath(new TextEncoder().encode("/é")), "/é");
});

Deno.test("a resolved path stays in the tree, and resolves to itself", () => {
  const piece = fc.oneof(
    fc.constantFrom("..", ".", "", "a", "\\", "\0", "é", "\ud800"),
    fc.string({ maxLength: 5 }),
  );
  const path = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join("/"));
  fc.assert(fc.property(path, fc.constantFrom("/", "/a", "/a/b"), (path, base) => {
    let resolved: string;
    try {
      resolved = resolvePath(path, base);
    } catch (error) {
      assert(error instanceof VfsError && error.code === "invalid_path");
      return;
    }
    for (const name of namesOf(resolved)) assert(name !== "" && name !== "." && name !== "..");
    assertEquals(resolvePath(resolved), resolved);
    assert(resolved.startsWith(parentPath(resolved)));
  }));
});
