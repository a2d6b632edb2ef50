// deno-lint-ignore-file no-console -- a script prints to its terminal
/**
 * Makes a release from one commit and checks it: executables (`deno task compile`), everything that a release page offers of them (`deno
 * task bundle`), a signature if there is a key, and then versions, checksums, manifests, licences and the ways to install it. Prints a table
 * of what was checked. Ends with 1 if anything is wrong.
 *
 * `deno task release [--dry-run] [--repository OWNER/NAME] [--from DIR] [--out DIR] [--schemas DIR]`
 *
 * The default of `--out` is `dist/release`. With `--dry-run` it is `dist/dry_run`, and what this machine cannot make or check is named in the
 * table and is no error. `--from`: a folder of executables that exist. `--schemas`: a folder of the official schemas, see `release/schemas.ts`;
 * without it they are fetched. `MINISIGN_SECRET_KEY` is the path of a key of minisign, `MINISIGN_PASSWORD` its password, and
 * `MINISIGN_PUBLIC_KEY` the public key. `SOURCE_DATE_EPOCH` sets the time of the files; the default is that of the commit.
 */
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import project from "../deno.json" with { type: "json" };
import { NO_REPOSITORY } from "./bundle/product.ts";
import { readRelease } from "./bundle/read_release.ts";
import { run } from "./compile/run.ts";
import { executableName, targetOf, TARGETS } from "./compile/targets.ts";
import { checkRelease } from "./release/check_release.ts";
import { Impossible, Report, same } from "./release/report.ts";
import { signSums } from "./release/signature.ts";
import { tryInstallation } from "./release/try_installation.ts";

const ROOT = fileURLToPath(new URL("../", import.meta.url));
const { values: options } = parseArgs({
  options: {
    "dry-run": { type: "boolean", default: false },
    repository: { type: "string" },
    from: { type: "string" },
    out: { type: "string" },
    schemas: { type: "string" },
  },
});
const isDry = options["dry-run"];
const out = resolve(options.out ?? join(ROOT, isDry ? "dist/dry_run" : "dist/release"));
const from = resolve(options.from ?? join(ROOT, "dist/bin"));
const report = new Report();

const [commit = "", time = ""] = (await run("git", ["log", "-1", "--format=%H %ct"], ROOT)).trim().split(" ");
await report.try("commit", "the sources are those of the commit", async () => {
  const changes = await run("git", ["status", "--porcelain", "--untracked-files=no"], ROOT);
  if (changes !== "") throw new Error(`changed: ${changes}`);
  return commit;
});
if (!Deno.env.get("SOURCE_DATE_EPOCH")) Deno.env.set("SOURCE_DATE_EPOCH", time);

/** Runs a script of the project with the terminal's streams. Returns its stderr, which it also prints. */
async function script(name: string, ...args: string[]): Promise<{ code: number; stderr: string }> {
  const command = new Deno.Command(Deno.execPath(), {
    args: ["run", "--quiet", "--allow-all", join(ROOT, "scripts", name), ...args],
    cwd: ROOT,
    stderr: "piped",
    stdout: "inherit",
  });
  const { code, stderr } = await command.output();
  const text = new TextDecoder().decode(stderr);
  if (text !== "") console.error(text.trim());
  return { code, stderr: text };
}

const reasons: Record<string, string> = {};
const ofThisMachine = Deno.env.get("DENORT_BIN")
  ? "only this machine's runtime is there (DENORT_BIN)"
  : undefined;
if (options.from === undefined) {
  // An executable of an earlier run must not be taken for one of this commit.
  await Deno.remove(from, { recursive: true }).catch(() => {});
  const { code, stderr } = await script("compile.ts", "--with-models");
  for (const [, triple, reason] of stderr.matchAll(/^Not made for (\S+): (.*)$/gm)) {
    const { os, arch } = targetOf(triple);
    reasons[`${os}-${arch}`] ??= reason!;
  }
  await report.try("executables with models", "made", () => {
    if (/models could not be fetched/.test(stderr)) throw new Impossible("the models could not be fetched");
    if (Object.keys(reasons).length > 0) throw new Error("see the reasons for each system");
    if (code !== 0) throw new Error(`compile.ts ended with ${code}`);
    return "";
  });
}
for (const target of TARGETS) {
  reasons[`${target.os}-${target.arch}`] ??= ofThisMachine ??
    `no ${executableName(project.version, target)} in ${from}`;
}

const repository = options.repository === undefined ? [] : ["--repository", options.repository];
const { code } = await script("bundle.ts", "--from", from, "--out", out, ...repository);
if (code !== 0) Deno.exit(1);
await report.try("SHA256SUMS", "signature", () =>
  signSums(out, {
    secret: Deno.env.get("MINISIGN_SECRET_KEY") || undefined,
    password: Deno.env.get("MINISIGN_PASSWORD") ?? "",
    public: Deno.env.get("MINISIGN_PUBLIC_KEY") || undefined,
  }));

const release = await readRelease(from, options.repository);
const own = targetOf();
const program = join(from, executableName(project.version, own));
/** Runs the program of this system. */
async function runProgram(...args: string[]): Promise<string> {
  if (!release.executables.some(({ os, arch }) => os === own.os && arch === own.arch)) {
    throw new Impossible(reasons[`${own.os}-${own.arch}`]);
  }
  return await run(program, args);
}
await report.try("program", "version and commit", async () => {
  const { version, commit: made, deno } = JSON.parse(await runProgram("--version", "--json"));
  same([version, made], [project.version, commit], "version and commit");
  return `${version}, ${made.slice(0, 12)}, Deno ${deno}`;
});
await report.try("program", "prints its licences", async () => {
  const printed = await runProgram("licenses");
  for (const { path, content } of release.licenses) {
    same(printed.includes(new TextDecoder().decode(content)), true, `it prints ${path}`);
  }
  return `${printed.length} characters`;
});
await report.try("repository", "it has a name", () => {
  if (release.values["repository"] === NO_REPOSITORY) {
    throw new Impossible(`${NO_REPOSITORY}: name it with --repository`);
  }
  return release.values["repository"]!;
});
const made = { folder: out, release, schemas: options.schemas, reasons };
await checkRelease(made, report);
await tryInstallation(made, report);

console.log(`\n${report}`);
const isBad = report.count("wrong") > 0 || !isDry && report.rows.some(({ part, outcome }) =>
      // A release needs every system and a repository. Tools for further checks may be missing.
      outcome === "missing" &&
      (part === "repository" || part.startsWith("executables") || reasons[part] !== undefined)
    );
if (isBad) Deno.exitCode = 1;
