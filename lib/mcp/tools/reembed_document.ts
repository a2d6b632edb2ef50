import { sep } from "node:path";
import * as z from "zod";
import { REEMBEDDED_DATA, reembeddedAnswer } from "../../answer/mod.ts";
import { UserError } from "../../errors.ts";
import { message } from "../../messages.ts";
import type { Library } from "../../search/mod.ts";
import { argument, defineTool, WAITING_COST } from "../tool.ts";

/** Makes the vectors of one document again. */
export const reembedDocument = defineTool({
  name: "reembed_document",
  cost: WAITING_COST,
  writes: true,
  input: { "doc_id": argument(z.string().min(1), "arg_file_path") },
  output: REEMBEDDED_DATA,
  async run({ doc_id: id }, { library, language, upkeep, progress }, signal) {
    if (upkeep === undefined) throw new UserError("ingest_not_allowed");
    const path = await realPath(id, library);
    const root = innermost(path, library.roots);
    const text = message(language, "reembed_progress", { path });
    progress({ done: 0, message: text });
    const made = await upkeep.reembed(root, relativeTo(root, path), {
      signal,
      onProgress: ({ embedded = 0 }) => progress({ done: embedded, message: text }),
    });
    return reembeddedAnswer(path, made, language);
  },
});

/** The real path of a file that the client may read. Its bytes are not read here. */
async function realPath(asked: string, library: Library): Promise<string> {
  try {
    return (await library.readOriginal(asked, 0)).path;
  } catch (error) {
    if (error instanceof UserError && error.key === "file_too_large") return String(error.params["path"]);
    throw error;
  }
}

/** The served folder that a file lies in; the inner one where one folder lies in another. */
function innermost(path: string, roots: readonly string[]): string {
  const around = roots.filter((root) => path.startsWith(withSeparator(root)));
  return around.reduce((inner, root) => root.length > inner.length ? root : inner, around[0] ?? path);
}

function relativeTo(root: string, path: string): string {
  return path.slice(withSeparator(root).length).replaceAll(sep, "/");
}

function withSeparator(root: string): string {
  return root.endsWith(sep) ? root : root + sep;
}
