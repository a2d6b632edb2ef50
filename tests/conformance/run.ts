/**
 * Runs the official test suite of the protocol against the program's HTTP server, in its newest release and its newest alpha: with the
 * fixtures of this folder, and, for the scenarios that need none, against the program itself. The exit code is 1 where a required
 * scenario fails that `needs_fixtures.yaml` does not name. Needs Node with npm: `deno task conformance`.
 */
import { fileURLToPath } from "node:url";

const PACKAGE = "@modelcontextprotocol/conformance";
const RELEASE = "0.1.16";
const ALPHA = "0.2.0-alpha.12";

const pathOf = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const WITHOUT_FIXTURES = ["--expected-failures", pathOf("needs_fixtures.yaml")];

/** Versions of the suite, and the arguments for all scenarios that it requires. */
const RUNS: readonly [version: string, args: readonly string[]][] = [
  [RELEASE, ["--suite", "all"]],
  [ALPHA, ["--requirements", "2025-11-25"]],
  [ALPHA, ["--requirements", "2026-07-28"]],
];

/** The arguments of `deno run` for a server that serves the suite. */
const SERVERS: readonly { readonly args: readonly string[]; readonly runs: typeof RUNS }[] = [
  { args: ["--config", pathOf("../../deno.dev.json"), pathOf("server.ts")], runs: RUNS },
  {
    args: [
      ...["--config", pathOf("../../deno.json"), pathOf("../../main.ts")],
      ...["serve", "--http", "--port", "0", "--language", "en", "--dir"],
    ],
    runs: RUNS.filter(([version]) => version === ALPHA)
      .map(([version, args]) => [version, [...args, ...WITHOUT_FIXTURES]]),
  },
];

/** The suite needs Node 22. */
function suite(version: string, args: readonly string[]): Deno.Command {
  const packages = ["--package", "node@22", "--package", `${PACKAGE}@${version}`];
  return new Deno.Command("npx", {
    args: ["-y", ...packages, "conformance", "server", ...args],
    stderr: "inherit",
  });
}

/** Runs the suite against a server. Returns whether a scenario failed. `folder`: a new folder, for the program's files. */
async function run({ args, runs }: typeof SERVERS[number], folder: string): Promise<boolean> {
  const isProgram = args.at(-1) === "--dir";
  const docs = `${folder}/docs`;
  await Deno.mkdir(docs);
  await Deno.writeTextFile(`${docs}/tea.md`, "# Tea\n\nGreen tea wants 80 °C.\n");
  const server = new Deno.Command(Deno.execPath(), {
    args: ["run", "--quiet", "--no-check", "-A", ...args, ...(isProgram ? [docs] : [])],
    env: {
      MUXUE_RAG_STATE_DIR: `${folder}/state`,
      MUXUE_RAG_CONFIG_DIR: `${folder}/config`,
      MUXUE_RAG_MODELS_DIR: `${folder}/models`,
    },
    stdout: isProgram ? "null" : "piped",
    stderr: isProgram ? "piped" : "inherit",
  }).spawn();
  let failed = false;
  try {
    const reader = (isProgram ? server.stderr : server.stdout).pipeThrough(new TextDecoderStream())
      .getReader();
    let said = "";
    let url: string | undefined;
    while (url === undefined) {
      const { done, value = "" } = await reader.read();
      if (done) throw new Error(`the server has not started: ${said}`);
      said += value;
      url = /http:\S+\/mcp(?=\s)/.exec(said)?.[0];
    }
    // It must not wait for a reader of its messages.
    void (async () => {
      while (!(await reader.read()).done);
    })();
    for (const [version, args] of runs) {
      const { code, stdout } = await suite(version, [...args, "--url", url]).output();
      const text = new TextDecoder().decode(stdout);
      const summary = text.slice(text.lastIndexOf("=== SUMMARY ==="));
      const title = `${PACKAGE}@${version} ${args.join(" ")}${isProgram ? ", the program itself" : ""}`;
      await Deno.stdout.write(new TextEncoder().encode(`${title}\n${summary}\n`));
      if (code !== 0) failed = true;
    }
  } finally {
    server.kill("SIGINT");
    await server.status;
  }
  return failed;
}

let failed = false;
for (const server of SERVERS) {
  const folder = await Deno.makeTempDir();
  try {
    if (await run(server, folder)) failed = true;
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}
Deno.exit(failed ? 1 : 0);
