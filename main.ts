// Each module is loaded only where it is needed: an extractor process needs nothing of the command line.
if (Deno.args[0] === "__extract") {
  const { runExtractor } = await import("./lib/extract/mod.ts");
  Deno.exit(await runExtractor());
}
const [{ surroundings }, { launch }, { default: project }] = await Promise.all([
  import("./lib/cli/mod.ts"),
  import("./lib/launch/mod.ts"),
  import("./deno.json", { with: { type: "json" } }),
]);
Deno.exit(await launch(Deno.args, surroundings(), project.version));
