import project from "./deno.json" with { type: "json" };
import { surroundings } from "./lib/cli/mod.ts";
import { launch } from "./lib/launch/mod.ts";

Deno.exit(await launch(Deno.args, surroundings(), project.version));
