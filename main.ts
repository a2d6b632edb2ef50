import { refuseTelemetry, telemetryVariable } from "#foundation/runtime.ts";

// Each module is loaded only where it is needed: the process that reads documents needs nothing of the command line. It may not read
// the environment, and the process that starts it has done so.
if (Deno.args[0] === "__extract") {
  const { runExtractor } = await import("#library/extract/mod.ts");
  Deno.exit(await runExtractor());
}
const telemetry = telemetryVariable();
if (telemetry !== undefined) {
  refuseTelemetry(telemetry);
  Deno.exit(2);
}
const [{ run, runInWorker, systemFacts, systemIo }, { default: project }] = await Promise.all([
  import("#program/mod.ts"),
  import("./deno.json", { with: { type: "json" } }),
]);
Deno.exit(await run(Deno.args, systemIo(systemFacts()), project.version, runInWorker));
