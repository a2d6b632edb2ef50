import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import project from "../../deno.json" with { type: "json" };
import { type BuildInfo, buildInfo } from "./build_info.ts";
import { denoCompile } from "./deno_compile.ts";
import { insertFiles } from "./insert_files.ts";
import { stageModels } from "./models.ts";
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
  await denoCompile(made, [
    `--import-map=${importMap}`,
    ...startFlags(),
    ...[...project.unstable, "raw-imports"].map((feature) => `--unstable-${feature}`),
    `--target=${target.triple}`,
    ...[...include, ...bundled, ...(isApart ? [] : [table])].flatMap((file) => ["--include", file]),
    main,
  ], work);
  if (isApart) {
    const files = [[table, await Deno.readFile(table)] as const, ...apart];
    await insertFiles(made, new Map(files.map(([file, content]) => [basename(file), content])));
  }
  await move(made, path);
}

/** Moves a file, also from one disk to another. */
async function move(from: string, to: string): Promise<void> {
  const beside = `${to}.${Deno.pid}`;
  await Deno.copyFile(from, beside);
  await Deno.rename(beside, to);
  await Deno.remove(from);
}
