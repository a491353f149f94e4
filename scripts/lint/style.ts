import { repositoryPath } from "./paths.ts";

const MAX_FILE_LINES = 500;
/** Lines of a function without those of inner functions. */
const MAX_FUNCTION_LINES = 60;

/** Code that may write to the console. */
const MAY_USE_CONSOLE = /^(scripts|tests)\/|_test\.[jt]s$|^core\/cli\//;
const TEST_CODE = /^tests\/|_test\.[jt]s$/;
const BUILT_IN_ERRORS: ReadonlySet<string> = new Set([
  "Error",
  "TypeError",
  "RangeError",
  "SyntaxError",
]);
const PRODUCT_CODE = /^(core|plugins|ui)\/(?!.*_test\.[jt]s$)|^(main|mod)\.ts$/;
/** Functions called with as many arguments as there are values. */
const TAKES_ANY_NUMBER: ReadonlySet<string> = new Set([
  "concat",
  "fromCharCode",
  "fromCodePoint",
  "max",
  "min",
  "push",
  "splice",
  "unshift",
]);
const DIRECTIVE = /^\s*(deno-lint-ignore|@ts-(ignore|nocheck|expect-error))\b/;

/** House rules that `deno lint` lacks. */
const plugin: Deno.lint.Plugin = {
  name: "style",
  rules: {
    "file-length": {
      create(context) {
        return {
          Program(node) {
            const lines = context.sourceCode.text.trimEnd().split("\n").length;
            if (lines <= MAX_FILE_LINES) return;
            context.report({
              range: [node.range[0], node.range[0]],
              message: `The file has ${lines} lines, at most ${MAX_FILE_LINES} are allowed`,
              hint: "Split it by responsibility; about 300 lines is the aim",
            });
          },
        };
      },
    },
    "function-length": {
      create(context) {
        const path = repositoryPath(context.filename);
        if (TEST_CODE.test(path) || path.startsWith("scripts/lint/")) return {};
        /** Lines of inner functions, by depth: they do not count for the outer one. */
        const inner: number[] = [0];
        const enter = (): void => void inner.push(0);
        const leave = (node: Deno.lint.Node): void => {
          const all = context.sourceCode.getText(node).split("\n").length;
          const own = all - (inner.pop() ?? 0);
          inner.push((inner.pop() ?? 0) + all);
          if (own <= MAX_FUNCTION_LINES) return;
          context.report({
            range: [node.range[0], node.range[0] + 1],
            message: `The function has ${own} lines, at most ${MAX_FUNCTION_LINES} are allowed`,
            hint: "Give its steps names",
          });
        };
        return {
          FunctionDeclaration: enter,
          FunctionExpression: enter,
          ArrowFunctionExpression: enter,
          "FunctionDeclaration:exit": leave,
          "FunctionExpression:exit": leave,
          "ArrowFunctionExpression:exit": leave,
        };
      },
    },
    "no-default-export": {
      create(context) {
        if (repositoryPath(context.filename).startsWith("scripts/lint/")) return {};
        return {
          ExportDefaultDeclaration(node) {
            context.report({
              node,
              message: "Default exports are not used here",
              hint: "Export it by name, so that it has the same name everywhere",
            });
          },
        };
      },
    },
    "no-console": {
      create(context) {
        if (MAY_USE_CONSOLE.test(repositoryPath(context.filename))) return {};
        return {
          MemberExpression(node) {
            if (node.object.type !== "Identifier" || node.object.name !== "console") return;
            context.report({
              node,
              message: "The console is not used here",
              hint: "Use the logger of the context",
            });
          },
        };
      },
    },
    "private-names": {
      create(context) {
        const check = (node: Deno.lint.Node): void => {
          // The node of a parameter lacks its modifiers; the source has them.
          const word = /^(private|protected|public)\s/.exec(context.sourceCode.getText(node))?.[1];
          if (word === undefined) return;
          context.report({
            node,
            message: `"${word}" is not used here`,
            hint: "Write `#name` for what is private, nothing for what is public",
          });
        };
        return {
          PropertyDefinition: check,
          MethodDefinition: check,
          TSParameterProperty: check,
        };
      },
    },
    "no-enum": {
      create(context) {
        return {
          TSEnumDeclaration(node) {
            context.report({
              node,
              message: "Enums are not used here",
              hint: "Use a union of string literals",
            });
          },
        };
      },
    },
    "no-directives": {
      create(context) {
        return {
          Program() {
            for (const comment of context.sourceCode.getAllComments()) {
              if (!DIRECTIVE.test(comment.value)) continue;
              context.report({
                range: comment.range,
                message: "A check may not be turned off by a comment",
                hint: "Change the code so that the check passes",
              });
            }
          },
        };
      },
    },
    "error-message": {
      create(context) {
        return {
          NewExpression(node) {
            if (node.callee.type !== "Identifier") return;
            if (!BUILT_IN_ERRORS.has(node.callee.name)) return;
            const [argument] = node.arguments;
            if (argument === undefined) return;
            if (!/[^.]\.["'`]$/.test(context.sourceCode.getText(argument))) return;
            context.report({
              node: argument,
              message: "An error message has no final period",
              hint: "Say what was attempted, a colon, then the detail",
            });
          },
        };
      },
    },
    "no-data-as-arguments": {
      create(context) {
        if (!PRODUCT_CODE.test(repositoryPath(context.filename))) return {};
        return {
          CallExpression(node) {
            const { callee } = node;
            if (callee.type !== "MemberExpression" || callee.property.type !== "Identifier") return;
            if (!TAKES_ANY_NUMBER.has(callee.property.name)) return;
            for (const argument of node.arguments) {
              if (argument.type !== "SpreadElement") continue;
              context.report({
                node: argument,
                message: "A call may not spread a list into its arguments: a long list throws",
                hint: "Add or compare them one by one",
              });
            }
          },
        };
      },
    },
    "sanitizers-on": {
      create(context) {
        return {
          Property(node) {
            if (node.key.type !== "Identifier" || node.value.type !== "Literal") return;
            if (!/^sanitize(Ops|Resources|Exit)$/.test(node.key.name)) return;
            if (node.value.value !== false) return;
            context.report({
              node,
              message: "A test may not turn a leak check off",
              hint: "Close what the test opened: `await using` does it on every path",
            });
          },
        };
      },
    },
  },
};

export default plugin;
