import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import project from "../../deno.json" with { type: "json" };
import { type BuildInfo, buildInfo } from "./build_info.ts";
import { insertFiles, putPartAtEnd } from "./insert_files.ts";
import { stageModels } from "./models.ts";
import { run } from "./run.ts";
import { type Stage, stage } from "./stage.ts";
import { startFlags } from "./start_flags.ts";
import type { Target } from "./targets.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** An executable to make. */
export interface Order {
  readonly target: Target;
  /** Path of the executable. A file at this path is replaced. */
  readonly path: string;
  /** Folder of installed models that the executable gets. Default: no models. */
  readonly models?: string;
}

/** An executable that could not be made. */
export interface Failure extends Order {
  readonly reason: string;
}

/**
 * Makes executables of the program. Returns those that could not be made. Deno fetches the runtime of each target, unless
 * the environment variable `DENORT_BIN` names one. Throws if the sources cannot be bundled.
 */
export async function compile(orders: readonly Order[], info?: BuildInfo): Promise<Failure[]> {
  const work = await Deno.makeTempDir({ prefix: "muxue_rag_compile_" });
  try {
    const staged = await stage(ROOT, work, info ?? await buildInfo(ROOT));
    const failures: Failure[] = [];
    for (const order of orders) {
      try {
        await compileStage(staged, order, work);
      } catch (error) {
        failures.push({ ...order, reason: error instanceof Error ? error.message : String(error) });
      }
    }
    return failures;
  } finally {
    await Deno.remove(work, { recursive: true });
  }
}

async function compileStage(staged: Stage, { target, path, models }: Order, work: string): Promise<void> {
  const { main, include, table, apart, importMap, setTime } = staged;
  const isApart = target.os === "linux";
  for (const [file, content] of apart) {
    // Where the content lies apart, an empty file stands for it.
    await Deno.writeFile(file, isApart ? new Uint8Array() : content);
    await setTime(file);
  }
  const bundled = models === undefined ? [] : await stageModels(models, dirname(main));
  // The executable contains this file name, so the name must not contain the version.
  const made = join(work, target.os === "windows" ? "muxue_rag.exe" : "muxue_rag");
  await run(Deno.execPath(), [
    "compile",
    "--no-config",
    `--import-map=${importMap}`,
    "--no-check",
    // The cache saves no measurable time, and it is in the system's temporary folder under a name that others can guess.
    "--no-code-cache",
    ...startFlags(),
    ...[...project.unstable, "raw-imports"].map((feature) => `--unstable-${feature}`),
    `--target=${target.triple}`,
    ...[...include, ...bundled, ...(isApart ? [] : [table])].flatMap((file) => ["--include", file]),
    `--output=${made}`,
    main,
  ], work);
  if (isApart) {
    const base = Deno.env.get("DENORT_BIN");
    if (base && !await findsPart(made)) await putPartAtEnd(made, base);
    const files = [[table, await Deno.readFile(table)] as const, ...apart];
    await insertFiles(made, new Map(files.map(([file, content]) => [basename(file), content])));
  }
  await move(made, path);
}

/** Whether the runtime in an executable finds its part. */
async function findsPart(executable: string): Promise<boolean> {
  try {
    await run(executable, ["--version"]);
  } catch (error) {
    if (String(error).includes("Could not find standalone binary section")) return false;
    throw error;
  }
  return true;
}

/** Moves a file, also from one disk to another. */
async function move(from: string, to: string): Promise<void> {
  const beside = `${to}.${Deno.pid}`;
  await Deno.copyFile(from, beside);
  await Deno.rename(beside, to);
  await Deno.remove(from);
}
