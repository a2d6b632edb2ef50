// deno-lint-ignore-file no-console -- a script prints to its terminal
/**
 * Tests executables. Each indexes a folder, is initialized by an MCP client, and searches once.
 *
 * `deno run --allow-all scripts/smoke.ts [EXECUTABLE]...`
 *
 * The default is the executable for this machine in `dist/bin`.
 */
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import project from "../deno.json" with { type: "json" };
import { smoke } from "./compile/smoke.ts";
import { executableName, targetOf } from "./compile/targets.ts";

const own = join(
  fileURLToPath(new URL("../dist/bin", import.meta.url)),
  executableName(project.version, targetOf()),
);
for (const executable of Deno.args.length > 0 ? Deno.args : [own]) {
  const { version, server, found } = await smoke(resolve(executable));
  if (version !== project.version || server.version !== project.version) {
    throw new Error(`${executable}: expected version ${project.version}, found ${version}`);
  }
  if (found[0] !== "备份.md") throw new Error(`${executable} found ${JSON.stringify(found)}`);
  console.log(`${executable}  ${version}  works`);
}
