/**
 * Runs the official test suite of the protocol against the program's HTTP server with the fixtures of this folder, in its newest
 * release and its newest alpha. The exit code is 1 where a required scenario fails. Needs Node with npm: `deno task conformance`.
 */
import { fileURLToPath } from "node:url";

const PACKAGE = "@modelcontextprotocol/conformance";

/** Versions of the suite, and the arguments for all scenarios that it requires. */
const RUNS: readonly [version: string, args: readonly string[]][] = [
  ["0.1.16", ["--suite", "all"]],
  ["0.2.0-alpha.12", ["--requirements", "2025-11-25"]],
  ["0.2.0-alpha.12", ["--requirements", "2026-07-28"]],
];

/** The suite needs Node 22. */
function suite(version: string, args: readonly string[]): Deno.Command {
  const packages = ["--package", "node@22", "--package", `${PACKAGE}@${version}`];
  return new Deno.Command("npx", {
    args: ["-y", ...packages, "conformance", "server", ...args],
    stderr: "inherit",
  });
}

const config = fileURLToPath(new URL("../../deno.dev.json", import.meta.url));
const server = new Deno.Command(Deno.execPath(), {
  args: [
    "run",
    "--quiet",
    "--no-check",
    "-A",
    "--config",
    config,
    fileURLToPath(new URL("server.ts", import.meta.url)),
  ],
  stdout: "piped",
}).spawn();
let failed = false;
try {
  const reader = server.stdout.pipeThrough(new TextDecoderStream()).getReader();
  const url = (await reader.read()).value?.trim();
  if (url === undefined) throw new Error("the server has not started");
  for (const [version, args] of RUNS) {
    const { code, stdout } = await suite(version, [...args, "--url", url]).output();
    const text = new TextDecoder().decode(stdout);
    const summary = text.slice(text.lastIndexOf("=== SUMMARY ==="));
    await Deno.stdout.write(
      new TextEncoder().encode(`${PACKAGE}@${version} ${args.join(" ")}\n${summary}\n`),
    );
    if (code !== 0) failed = true;
  }
  await reader.cancel();
} finally {
  server.kill("SIGINT");
  await server.status;
}
Deno.exit(failed ? 1 : 0);
