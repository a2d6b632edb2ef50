import { basename } from "node:path";
import { message } from "../../messages.ts";
import type { ToolCall } from "../tool.ts";

/** Time between two reports of a read that takes long, in milliseconds. */
const PERIOD_MS = 1000;

/**
 * Waits for a read, and reports every second for how many seconds it has lasted: how much of a document is left is not known
 * before it is read. `done` and `total` count documents where a call reads several.
 */
export async function withReadProgress<T>(
  work: Promise<T>,
  path: string,
  { progress, language }: Pick<ToolCall, "progress" | "language">,
  { done, total }: { readonly done?: number; readonly total?: number } = {},
): Promise<T> {
  const began = performance.now();
  const file = basename(path);
  const timer = setInterval(() => {
    const seconds = Math.round((performance.now() - began) / 1000);
    progress({
      done: done ?? seconds,
      ...(total !== undefined && { total }),
      message: message(language, "read_progress", { file, seconds }),
    });
  }, PERIOD_MS);
  try {
    return await work;
  } finally {
    clearInterval(timer);
  }
}
