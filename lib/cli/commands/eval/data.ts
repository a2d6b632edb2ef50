import { UsageError } from "../../../errors.ts";
import { type QuerySet, readBeir, readQueryFile, type TestCollection } from "../../../evaluate/mod.ts";
import { statNamed } from "../../../sandbox/mod.ts";
import { abortable } from "../../context.ts";
import type { Session } from "../../session.ts";
import { oneRoot } from "../../targets.ts";

/** Test data. */
export type TestData =
  | { readonly kind: "collection"; readonly set: TestCollection }
  /** Queries about the user's folder `root`, a real path. */
  | { readonly kind: "queries"; readonly path: string; readonly set: QuerySet; readonly root: string };

/**
 * Reads all test data before anything is indexed, so that mistakes are found at once. Throws `UsageError`
 * `cli_eval_data_missing`, `cli_eval_needs_dir`, `cli_eval_dir_unused`, and the errors of the readers.
 */
export async function readTestData(session: Session): Promise<TestData[]> {
  const { operands, named, flags, signal } = session;
  const data: TestData[] = [];
  for (const [at, path] of named.entries()) {
    const operand = operands[at]!;
    const info = await abortable(statNamed(path).catch(() => undefined), signal);
    if (info === undefined) throw new UsageError("cli_eval_data_missing", { path: operand });
    if (info.isDirectory) {
      data.push({ kind: "collection", set: await abortable(readBeir(path), signal) });
      continue;
    }
    if (flags.dir.length === 0) throw new UsageError("cli_eval_needs_dir", { path: operand });
    const root = oneRoot(session);
    data.push({ kind: "queries", path, root, set: await abortable(readQueryFile(path, root), signal) });
  }
  if (flags.dir.length > 0 && data.every(({ kind }) => kind === "collection")) {
    throw new UsageError("cli_eval_dir_unused");
  }
  return data;
}
