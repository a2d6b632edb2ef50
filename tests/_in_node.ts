/**
 * Runs a program of the project in Node 24, to show that a house uses web standards: the sources, copied into a folder with the
 * packages as Node finds them.
 */
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import project from "../deno.json" with { type: "json" };
import { copyFolder } from "../scripts/copy_folder.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));

/**
 * Runs `entry`, a path from the project's folder such as `examples/engine.ts`, and returns what it writes to stdout. Node
 * only strips types, so it refuses enums, namespaces and parameter properties. `undefined`, with a note on stderr, if Node
 * cannot be had because npm is missing or unreachable. Throws if the program fails.
 */
export async function runInNode(entry: string, args: readonly string[]): Promise<string | undefined> {
  const folder = await Deno.makeTempDir({ prefix: "muxue_rag_node_" });
  try {
    await copyFolder(join(ROOT, "lib"), join(folder, "lib"));
    await Deno.mkdir(dirname(join(folder, entry)), { recursive: true });
    for (const path of [entry, "deno.lock"]) await Deno.copyFile(join(ROOT, path), join(folder, path));
    await Deno.writeTextFile(
      join(folder, "deno.json"),
      JSON.stringify({ imports: project.imports, nodeModulesDir: "auto", lock: project.lock }),
    );
    const houses = Object.entries(project.imports).filter(([name]) => name.startsWith("#"))
      .map(([name, to]) => [`${name}*`, `${to}*`]);
    await Deno.writeTextFile(
      join(folder, "package.json"),
      JSON.stringify({ type: "module", imports: Object.fromEntries(houses) }),
    );
    await run(Deno.execPath(), ["install", "--quiet", "--entrypoint", entry]);
    const node = ["-y", "node@24"];
    const ran = await run("npx", [...node, "--version"]).catch(isMissing) &&
      await run("npx", [...node, entry, ...args]);
    // deno-lint-ignore no-console -- the test that calls this passes, so only a note tells that nothing was shown
    if (ran === undefined) console.warn(`${entry} was not run in Node: npm is missing or unreachable`);
    return ran;
  } finally {
    await Deno.remove(folder, { recursive: true });
  }

  /** Returns the output of a command in the folder. */
  async function run(command: string, args: readonly string[]): Promise<string> {
    const isNpx = command === "npx" && Deno.build.os === "windows";
    const child = new Deno.Command(isNpx ? "cmd" : command, {
      args: [...isNpx ? ["/c", command] : [], ...args],
      cwd: folder,
    });
    const { success, stdout, stderr } = await child.output();
    const decoder = new TextDecoder();
    if (success) return decoder.decode(stdout);
    throw new Error(`${command} ${args.join(" ")} failed:\n${decoder.decode(stderr)}`);
  }
}

/** Returns nothing for an error of a command that does not exist or cannot reach the registry. */
function isMissing(error: unknown): undefined {
  const unreachable =
    /\b(?:not recognized|recognize)\b|\b(?:ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ENOTCACHED)\b/;
  if (!(error instanceof Deno.errors.NotFound) && !unreachable.test(String(error))) throw error;
}
