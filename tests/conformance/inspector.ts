// deno-lint-ignore-file no-console -- a script prints to its terminal
/**
 * Runs the official inspector's command line against the program: the strict check of the list of tools, and a call of every
 * tool, over stdio and HTTP, in both protocol eras. The exit code is 1 where one fails. Needs Node with npm:
 * `deno task inspector`.
 */
import { join } from "node:path";
import { startHttpProgram } from "../e2e/_http_program.ts";
import { makeSandbox, program } from "../e2e/_program.ts";
import { OFFLINE_TOOLS, SAMPLE_CALLS, SAMPLE_FILES } from "../e2e/_tools.ts";

const PACKAGE = "@modelcontextprotocol/inspector@2.12.0";

/** Inspectors at the same time. */
const AT_ONCE = 2;

const npx = Deno.build.os === "windows" ? "npx.cmd" : "npx";

/** The search path with the inspector and the Node that it needs. */
async function searchPath(): Promise<string> {
  const { stdout } = await new Deno.Command(npx, {
    args: ["-y", "--package", "node@22", "--package", PACKAGE, "--", "node", "-p", "process.env.PATH"],
    stderr: "inherit",
  }).output();
  return new TextDecoder().decode(stdout).trim();
}

await using sandbox = await makeSandbox(SAMPLE_FILES);
const indexed = await sandbox.run("--dir", sandbox.folder);
if (indexed.code !== 0) throw new Error(indexed.stderr);
const settings = { MUXUE_RAG_MCP_TOOLS: "all" };
const env = {
  ...sandbox.env,
  PATH: await searchPath(),
  MCP_CATALOG_PATH: join(sandbox.cwd, "inspector.json"),
};
await using server = await startHttpProgram({ ...sandbox, env: { ...sandbox.env, ...settings } });

/** The arguments that name the server. */
const { cmd, args } = program(["serve", "--dir", sandbox.folder]);
const own = Object.entries({ ...sandbox.env, ...settings }).filter(([name]) => name.startsWith("MUXUE_RAG_"));
const TARGETS = {
  stdio: [...own.flatMap(([name, value]) => ["-e", `${name}=${value}`]), "--", cmd, ...args],
  HTTP: ["--server-url", server.url.href, "--transport", "http"],
};

interface Run {
  readonly name: string;
  readonly args: readonly string[];
  readonly expected: RegExp;
}

async function inspect(run: Run): Promise<string> {
  const { code, stdout, stderr } = await new Deno.Command("mcp-inspector", {
    args: ["--cli", ...run.args],
    env,
    cwd: sandbox.cwd,
  }).output();
  const text = new TextDecoder().decode(stdout);
  if (code === 0 && run.expected.test(text.replaceAll("\\", ""))) {
    console.log(`ok ${run.name}`);
    return text;
  }
  console.log(`FAILED ${run.name}: exit code ${code}\n${text}${new TextDecoder().decode(stderr)}`);
  failed++;
  return text;
}

let failed = 0;
const path = join(sandbox.folder, "tea.md");
const withArguments = (tool: string, given: Record<string, unknown>) => [
  ...["--method", "tools/call", "--tool-name", tool, "--tool-args-json", JSON.stringify(given)],
  ...["--format", "json", "--quiet"],
];
const first = await inspect({
  name: "HTTP modern query_knowledge_hub, for the id of a chunk",
  args: [
    ...withArguments("query_knowledge_hub", { query: "80 degrees", filters: { path: "tea.md" } }),
    ...["--protocol-era", "modern", ...TARGETS.HTTP],
  ],
  expected: /chunk_id/,
});
const [, chunk = ""] = /"chunk_id"\s*:\s*"(\w+)"/.exec(first) ?? [];

const runs: Run[] = [];
for (const [transport, target] of Object.entries(TARGETS)) {
  for (const era of ["legacy", "modern"]) {
    const options = ["--protocol-era", era, ...target];
    const name = `${transport} ${era}`;
    runs.push({
      name: `${name} tools/list --strict`,
      args: ["--method", "tools/list", "--strict", ...options],
      expected: /search_rag/,
    });
  }
  for (const tool of OFFLINE_TOOLS) {
    const { args, expected } = SAMPLE_CALLS[tool];
    const era = transport === "stdio" ? "legacy" : "modern";
    runs.push({
      name: `${transport} ${era} ${tool}`,
      args: [...withArguments(tool, args(path, chunk)), "--protocol-era", era, ...target],
      expected,
    });
  }
}
await Promise.all(Array.from({ length: AT_ONCE }, async () => {
  for (let run; (run = runs.shift()) !== undefined;) await inspect(run);
}));
console.log(failed === 0 ? `${PACKAGE}: all passed` : `${PACKAGE}: ${failed} failed`);
Deno.exitCode = failed === 0 ? 0 : 1;
