import { bannedNames, checkImport } from "./table.ts";
import { repositoryPath, resolveFrom } from "./paths.ts";

/** The layers of `table.ts` as lint rules: every import, and the names a layer may not mention. */
const plugin: Deno.lint.Plugin = {
  name: "layers",
  rules: {
    imports: {
      create(context) {
        const from = repositoryPath(context.filename);
        const check = (node: Deno.lint.Node, specifier: unknown): void => {
          if (typeof specifier !== "string") return;
          const found = checkImport(from, resolveFrom(from, specifier));
          if (found !== undefined) context.report({ node, ...found });
        };
        return {
          ImportDeclaration: (node) => check(node, node.source.value),
          ExportAllDeclaration: (node) => check(node, node.source.value),
          ExportNamedDeclaration: (node) => check(node, node.source?.value),
          ImportExpression(node) {
            if (node.source.type === "Literal") check(node, node.source.value);
          },
        };
      },
    },
    names: {
      create(context) {
        const banned = bannedNames(repositoryPath(context.filename));
        const globals = new Set(banned.globals);
        const members = new Set(banned.members);
        const report = (node: Deno.lint.Node, name: string): void =>
          context.report({
            node,
            message: `A file of this layer may not use "${name}"`,
            hint:
              "Take it as a parameter, or move the code; see bannedNames in scripts/lint/table.ts",
          });
        const noAsync = (node: Deno.lint.Node & { async?: boolean }): void => {
          if (banned.clockAndAsync && node.async === true) report(node, "async");
        };
        return {
          MemberExpression(node) {
            if (node.object.type !== "Identifier") return;
            const object = node.object.name;
            if (globals.has(object)) report(node, object);
            if (node.property.type !== "Identifier" || node.computed) return;
            const member = `${object}.${node.property.name}`;
            if (members.has(member)) report(node, member);
          },
          CallExpression(node) {
            if (node.callee.type === "Identifier" && globals.has(node.callee.name)) {
              report(node, node.callee.name);
            }
          },
          NewExpression(node) {
            if (node.callee.type !== "Identifier") return;
            if (globals.has(node.callee.name)) report(node, node.callee.name);
            const clock = node.callee.name === "Date" && node.arguments.length === 0;
            if (clock && banned.clockAndAsync) report(node, "new Date()");
          },
          FunctionDeclaration: noAsync,
          FunctionExpression: noAsync,
          ArrowFunctionExpression: noAsync,
          AwaitExpression(node) {
            if (banned.clockAndAsync) report(node, "await");
          },
        };
      },
    },
  },
};

export default plugin;
