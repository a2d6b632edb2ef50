import { createHash } from "node:crypto";
import { join } from "node:path";
import type { LanguageData } from "../../document/mod.ts";
import { UserError } from "../../errors.ts";
import { DESCRIPTION_FILE } from "../../neural/mod.ts";
import { OCR_FOLDER } from "../../own_names.ts";
import { isMissing, listNamed, readNamed } from "../../sandbox/mod.ts";

const FILE = /^([a-z]{3}(?:_[a-z]+)*)\.traineddata$/;
/** Most languages that are read. Each one more takes more time for every page. */
const MOST_LANGUAGES = 4;
/** Most bytes of a language. Those of the best models have 15 million. */
const MOST_BYTES = 50_000_000;
/** Bytes of `model.json` that are read. */
const MOST_DESCRIPTION_BYTES = 1 << 20;

/**
 * Reads the data of the languages that `model install ocr` has installed, English first: it then loses nothing to the
 * Chinese data, which knows Latin letters too. `undefined` if none is installed or can be read. `modelsDir`: null if it is
 * unknown. Throws `ocr_data_unusable` if a file is not the installed one. Files that the user added are not compared.
 */
export async function readLanguageData(modelsDir: string | null): Promise<LanguageData[] | undefined> {
  if (modelsDir === null) return undefined;
  const folder = join(modelsDir, OCR_FOLDER);
  try {
    const names = (await listNamed(folder)).filter((name) => FILE.test(name))
      .sort((a, b) => rankOf(a) - rankOf(b) || (a < b ? -1 : 1));
    const read = await Promise.all(
      names.slice(0, MOST_LANGUAGES).map(async (name) => ({
        language: FILE.exec(name)![1]!,
        bytes: await readNamed(join(folder, name), MOST_BYTES),
      })),
    );
    if (read.length === 0) return undefined;
    const installed = await installedDigests(join(folder, DESCRIPTION_FILE));
    for (const { language, bytes } of read) {
      const name = `${language}.traineddata`;
      const expected = installed[name]?.sha256;
      if (expected !== undefined && createHash("sha256").update(bytes).digest("hex") !== expected) {
        throw new UserError("ocr_data_unusable", { error: name });
      }
    }
    return read;
  } catch (error) {
    // A link may lead to where the worker may not read.
    const { PermissionDenied, NotCapable } = Deno.errors;
    if (isMissing(error) || error instanceof PermissionDenied || error instanceof NotCapable) {
      return undefined;
    }
    throw error;
  }
}

/** The digests in the `model.json` of the data, by file name; none if it cannot be read, as without an installed model. */
async function installedDigests(path: string): Promise<Record<string, { readonly sha256?: string }>> {
  try {
    const text = new TextDecoder().decode(await readNamed(path, MOST_DESCRIPTION_BYTES));
    return JSON.parse(text)?.files ?? {};
  } catch {
    return {};
  }
}

function rankOf(name: string): number {
  return name.startsWith("eng.") ? 0 : 1;
}
