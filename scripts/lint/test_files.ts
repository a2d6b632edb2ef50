/** Lint rule: a file of tests has more than imports. Without a statement that registers a test, it passes with no test. */
export const testFiles: Deno.lint.Rule = {
  create(context) {
    if (!/_test(?:\.\w+)?\.ts$/.test(context.filename)) return {};
    return {
      Program(node) {
        if (node.body.some(({ type }) => type !== "ImportDeclaration")) return;
        context.report({ node, message: "This file has no test", hint: "Delete it, or restore its tests" });
      },
    };
  },
};
