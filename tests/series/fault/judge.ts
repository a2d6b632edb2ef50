/** The conditions that hold after a fault: of the index, a backup, the next run, and the files that may be left. */
import { join } from "node:path";
import { UserError } from "#foundation/errors.ts";
import { verifyFolder } from "#library/ingest/mod.ts";
import { isSystemError, openNamedSync } from "#foundation/boundary/mod.ts";
import { type Arena, type Command, COMMANDS, type Contents, contentsOf, exists } from "./arena.ts";
import { Killed } from "./inject.ts";

/**
 * Returns the defects after a command met a fault and ended with `error` (`undefined`: it succeeded). The index must hold the
 * texts of the old or the new state, or be missing where it was or was being removed. A backup must be whole or absent. The
 * next run must succeed, after which the index is that of the folder and no file is left over.
 */
export async function defectsOf(arena: Arena, command: Command, error: unknown): Promise<string[]> {
  const defects: string[] = [];
  if (!isExpected(error)) {
    defects.push(`internal error: ${error instanceof Error ? error.stack : String(error)}`);
  }
  const found = await attempt(() => arena.read());
  if (found.error !== undefined) defects.push(`index: ${found.error}`);
  else defects.push(...wrongTexts(arena, command, error, found.value));
  if (command === "backup") defects.push(...await wrongBackup(arena, error));
  const next = await attempt(() => arena.run("update"));
  if (next.error !== undefined) return [...defects, `next run: ${next.error}`];
  const check = await attempt(() =>
    verifyFolder(arena.root, arena.config, { indexKey: arena.key }, { deep: true })
  );
  if (check.value?.state !== "sound") {
    defects.push(`after the next run: ${check.error ?? JSON.stringify(check.value)}`);
  }
  const now = await attempt(() => arena.read());
  if (JSON.stringify(now.value) !== JSON.stringify(arena.contents.get("new"))) {
    defects.push("texts after the next run");
  }
  const names = [...Deno.readDirSync(join(arena.root, ".muxue_rag"))].map(({ name }) => name)
    .filter((name) => name !== "changes.bin").sort();
  if (names.join() !== ".gitignore,index.bin,lock") defects.push(`left over: ${names.join()}`);
  return defects;
}

function wrongTexts(arena: Arena, command: Command, error: unknown, found: Contents | undefined): string[] {
  const [before, after] = COMMANDS[command];
  if (found === undefined) {
    const mayBeMissing = before === "none" || command === "clean";
    return mayBeMissing ? [] : ["the index is gone"];
  }
  if (error === undefined && command === "clean") return ["the index is still there"];
  const old = before === "none" ? {} : arena.contents.get(before)!;
  const now = arena.contents.get(after)!;
  const wrong = Object.entries(found).filter(([path, text]) => text !== old[path] && text !== now[path]);
  const defects = wrong.map(([path]) => `text of ${path}`);
  // a file that could not be read may keep its old text, but must not be lost; a full run keeps nothing
  if (command !== "full" && before !== "none") {
    const lost = Object.keys(old).filter((path) => path in now && !(path in found));
    defects.push(...lost.map((path) => `${path} is lost`));
  }
  const isWhole = JSON.stringify(found) === JSON.stringify(now);
  if (error === undefined && command === "restore" && !isWhole) defects.push("not what was restored");
  return defects;
}

async function wrongBackup(arena: Arena, error: unknown): Promise<string[]> {
  if (!exists(arena.backup)) return error === undefined ? ["the backup is missing"] : [];
  const opened = await attempt(async () => {
    using backup = await arena.store(arena.root).openBackup(openNamedSync(arena.backup));
    return JSON.stringify(await contentsOf(backup)) === JSON.stringify(arena.contents.get("old"));
  });
  if (opened.value === false) return ["backup: texts"];
  return opened.error === undefined ? [] : [`backup: ${opened.error}`];
}

/** Whether a run may end with this error after a fault: with a message for people, not as a fault of the program. */
function isExpected(error: unknown): boolean {
  return error === undefined || error instanceof Killed || error instanceof UserError || isSystemError(error);
}

async function attempt<T>(work: () => Promise<T>): Promise<{ value?: T; error?: string }> {
  try {
    return { value: await work() };
  } catch (error) {
    return { error: error instanceof Error ? `${error.name}: ${error.message}` : String(error) };
  }
}
