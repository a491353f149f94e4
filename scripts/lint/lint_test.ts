import { assertEquals } from "@std/assert";
import layers from "./layers.ts";
import style from "./style.ts";

/** Returns the ids of the rules that `source` in the file `path` violates. */
function broken(plugin: Deno.lint.Plugin, path: string, source: string): string[] {
  return Deno.lint.runPlugin(plugin, path, source).map((found) => found.id);
}

const LAYER_CASES: readonly (readonly [path: string, source: string, rules: readonly string[]])[] =
  [
    ["core/bytes/reader.ts", 'import { a } from "./decoder.ts";', []],
    ["core/bytes/reader.ts", 'import { a } from "../net/tcp.ts";', ["layers/imports"]],
    ["core/bytes/reader.ts", 'import { a } from "../events/event.ts";', ["layers/imports"]],
    ["core/codec/json_lenient.ts", 'import { a } from "node:buffer";', ["layers/imports"]],
    ["core/codec/json_lenient.ts", 'export * from "../app/start.ts";', ["layers/imports"]],
    ["core/http/router.ts", 'import type { A } from "../blobs/blob.ts";', []],
    ["core/http/router.ts", 'import { A } from "../blobs/disk.ts";', ["layers/imports"]],
    ["core/options/flags.ts", 'import { parseArgs } from "node:util"; import "node:fs";', [
      "layers/imports",
    ]],
    ["core/http/router.ts", 'await import("./server/front.ts");', ["layers/imports"]],
    ["core/http/server/front.ts", 'import "node:net"; Deno.listen({ port: 0 });', []],
    ["core/http/server/front.ts", 'import "../../app/start.ts";', ["layers/imports"]],
    ["core/app/start.ts", 'import "../../plugins/mail/mod.ts";', ["layers/imports"]],
    ["core/app/start.ts", 'import "../../ui/assets.ts";', ["layers/imports"]],
    ["plugins/mail/smtp/mod.ts", 'import "../capture.ts"; import "./codec/path.ts";', []],
    ["plugins/mail/smtp/mod.ts", 'import "../mail1/mod.ts";', ["layers/imports"]],
    ["plugins/mail/mod.ts", 'import "./mail1/mod.ts"; import "./smtp/mod.ts";', []],
    ["plugins/mail/mod.ts", 'import "../sms/model.ts";', ["layers/imports"]],
    ["plugins/mail/mod.ts", 'import "../../core/app/start.ts";', ["layers/imports"]],
    ["plugins/mail/smtp/session.ts", 'import "node:net";', ["layers/imports"]],
    ["plugins/mail/smtp/auth.ts", 'import { createHmac } from "node:crypto";', []],
    ["plugins/mail/smtp/codec/path.ts", 'import "../session.ts";', ["layers/imports"]],
    ["plugins/mail/smtp/codec/path.ts", 'import "../../../../core/bytes/reader.ts";', []],
    ["plugins/as2/codec/mic.ts", 'import "../../sms/codec/gsm7.ts";', ["layers/imports"]],
    ["ui/static/app.js", 'import "./api.js";', []],
    ["ui/static/app.js", 'import "../../core/log.ts";', ["layers/imports"]],
    ["ui/static/app.js", 'import "../../plugins/sms/model.ts";', ["layers/imports"]],
    ["ui/static/types.d.ts", 'import type { A } from "../../plugins/sms/model.ts";', []],
    ["main.ts", 'import "./plugins/standard.ts"; import "./ui/assets.ts";', []],
    ["main.ts", 'import "./tests/support/service.ts";', ["layers/imports"]],
    ["tests/api/x.ts", 'import "../../plugins/mail/smtp/session.ts"; Deno.exit();', []],
    ["core/bytes/text.ts", "const now = Date.now();", ["layers/names"]],
    ["core/bytes/text.ts", "const now = new Date();", ["layers/names"]],
    ["core/bytes/text.ts", "const then = new Date(0);", []],
    ["core/bytes/text.ts", "const n = Math.random() + setTimeout(f, 1);", [
      "layers/names",
      "layers/names",
    ]],
    ["core/bytes/text.ts", "async function read() {}", ["layers/names"]],
    ["core/bytes/text.ts", "crypto.subtle;", ["layers/names"]],
    ["core/bytes/digest.ts", "export async function sha1() { await crypto.subtle; }", []],
    ["core/events/store.ts", "Deno.readTextFile(path);", ["layers/names"]],
    ["core/events/store.ts", "const timer = setTimeout(wake, 10);", []],
    ["plugins/mail/capture.ts", 'await fetch("http://captured.example/");', ["layers/names"]],
    ["plugins/mail/capture.ts", "Deno.env.get(name);", ["layers/names"]],
    ["plugins/mail/capture.ts", "call.fetch(); env.process(item);", []],
  ];

for (const [path, source, rules] of LAYER_CASES) {
  Deno.test(`layers: ${path} with ${source} breaks ${rules.length} rules`, () => {
    assertEquals(broken(layers, path, source), rules);
  });
}

const lines = (count: number): string => "x;\n".repeat(count);

const STYLE_CASES: readonly (readonly [path: string, source: string, rules: readonly string[]])[] =
  [
    ["core/a.ts", lines(500), []],
    ["core/a.ts", lines(501), ["style/file-length"]],
    ["core/a.ts", `function f() {\n${lines(58)}}`, []],
    ["core/a.ts", `function f() {\n${lines(59)}}`, ["style/function-length"]],
    ["core/a.ts", `class A { f() {\n${lines(90)}} }`, ["style/function-length"]],
    [
      "core/a.ts",
      `function f() {\n${lines(40)} const g = () => {\n${lines(40)}};\n${lines(10)}}`,
      [],
    ],
    ["core/a_test.ts", `function f() {\n${lines(90)}}`, []],
    ["core/a.ts", "export default 1;", ["style/no-default-export"]],
    ["scripts/lint/a.ts", "export default 1;", []],
    ["core/a.ts", 'console.log("x");', ["style/no-console"]],
    ["scripts/a.ts", 'console.log("x");', []],
    ["core/a.ts", "class A { private b = 1; }", ["style/private-names"]],
    ["core/a.ts", "class A { private b() {} }", ["style/private-names"]],
    ["core/a.ts", "class A { constructor(private b: number) {} }", ["style/private-names"]],
    ["core/a.ts", "class A { #b = 1; constructor(readonly c: number) {} }", []],
    ["core/a.ts", "enum A { B }", ["style/no-enum"]],
    ["core/a.ts", "// @ts-ignore because\nx;", ["style/no-directives"]],
    ["core/a.ts", "// @ts-expect-error because\nx;", ["style/no-directives"]],
    ["core/a.ts", "// @ts-check is fine\nx;", []],
    ["core/a.ts", 'throw new Error("Cannot read it.");', ["style/error-message"]],
    ["core/a.ts", "throw new RangeError(`Cannot read ${a}.`);", ["style/error-message"]],
    ["core/a.ts", 'throw new Error("Cannot read it: no such file");', []],
    ["core/a.ts", 'throw new Error("Still reading...");', []],
    ["core/a.ts", "found.push(...values);", ["style/no-data-as-arguments"]],
    ["ui/static/a.js", "Math.max(0, ...counts);", ["style/no-data-as-arguments"]],
    ["plugins/a.ts", "String.fromCharCode(...bytes);", ["style/no-data-as-arguments"]],
    ["core/a.ts", "found.push(value, other); f(...values); [...values]; new Set(...values);", []],
    ["core/a_test.ts", "found.push(...values);", []],
    ["tests/a_test.ts", "const t = { sanitizeOps: false };", ["style/sanitizers-on"]],
    ["tests/a_test.ts", "const t = { sanitizeOps: true };", []],
  ];

for (const [path, source, rules] of STYLE_CASES) {
  Deno.test(`style: ${path} with ${source.slice(0, 40)} breaks ${rules.length} rules`, () => {
    assertEquals(broken(style, path, source), rules);
  });
}
