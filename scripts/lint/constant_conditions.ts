import { programFile } from "./_program_file.ts";

/** Operators that compare: with the same expression on both sides, the result is always the same. */
const COMPARES = new Set(["==", "!=", "===", "!==", "<", "<=", ">", ">="]);
/** Methods that give a part from one place to another: the same place twice gives nothing. */
const PARTS = new Set(["slice", "substring", "subarray"]);

/**
 * Lint rule: the program has no expression whose value is always the same although it looks computed. `text.slice(0, 0)` is the empty
 * text, so `!endsWith(text.slice(0, 0))` is always true; `a === a`, `a && a` and a comparison of two literals say nothing.
 * Literals as conditions are left to `no-constant-condition` of `deno lint`.
 */
export const constantConditions: Deno.lint.Rule = {
  create(context) {
    if (programFile(context.filename) === undefined) return {};
    const textOf = (node: Deno.lint.Node) => context.sourceCode.getText(node);
    const report = (node: Deno.lint.Node) =>
      context.report({
        node,
        message: `${textOf(node)} is always the same`,
        hint: "Remove it, or write the condition that was meant",
      });
    /** Whether two expressions are the same and have no effect, so that both have the same value. */
    const isSame = (a: Deno.lint.Node, b: Deno.lint.Node) =>
      textOf(a) === textOf(b) && !/[(`]|\+\+|--|\bawait\b|\byield\b/.test(textOf(a));
    return {
      CallExpression(node) {
        const { callee, arguments: [from, to] } = node;
        if (callee.type !== "MemberExpression" || callee.property.type !== "Identifier") return;
        if (from === undefined || to === undefined || !PARTS.has(callee.property.name)) return;
        if (isSame(from, to)) report(node);
      },
      BinaryExpression(node) {
        if (!COMPARES.has(node.operator)) return;
        const isLiteral = node.left.type === "Literal" && node.right.type === "Literal";
        if (isLiteral || isSame(node.left, node.right)) report(node);
      },
      LogicalExpression(node) {
        if (isSame(node.left, node.right)) report(node);
      },
    };
  },
};
