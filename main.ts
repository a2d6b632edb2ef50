import project from "./deno.json" with { type: "json" };
import { run, systemIo } from "./lib/cli/mod.ts";

Deno.exit(await run(Deno.args, systemIo(), project.version));
