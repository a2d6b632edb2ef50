import type { LanguageData } from "../../document/mod.ts";
import { UserError } from "../../errors.ts";
import { Extractor } from "../../extract/mod.ts";
import type { StoredFile } from "../../index/mod.ts";
import { RecognisedTexts } from "../../store/mod.ts";
import type { IngestContext, IngestOptions } from "../types.ts";
import { readLanguageData } from "./language_data.ts";
import { recognitionOf } from "./recognition_state.ts";
import { nameOf, Recogniser, type RecogniserOptions } from "./recogniser.ts";

/** Text recognition in an indexing run. */
export interface Recognition {
  readonly recogniser: Recogniser;
  /** Why scans among the files of an index have no text, if the data for it is missing or damaged. */
  readonly problemWith: (files: readonly StoredFile[]) => Pick<UserError, "key" | "params"> | undefined;
  /** Whether an unchanged file is to be read again, because more of its text is or can become known. */
  readonly isToRead: (old: StoredFile) => Promise<boolean>;
  /** Removes the texts of documents that are not in the index any more. */
  readonly removeOthers: (files: readonly StoredFile[]) => void;
}

/** Opens the recognised texts of `root`, and, for a run that recognises text, the data of the languages. */
export async function openRecognition(
  root: string,
  { indexKey, indexDirs, modelsDir = null, extractor = Extractor.none() }: IngestContext,
  { recognise = false, signal }: IngestOptions,
  onPages?: RecogniserOptions["onPages"],
): Promise<Recognition> {
  const texts = new RecognisedTexts(root, indexKey, indexDirs?.[root]);
  const { languages, problem } = recognise ? await languageData(modelsDir) : {};
  const recogniser = new Recogniser({ texts, extractor, languages, signal, ...(onPages ? { onPages } : {}) });
  return {
    recogniser,
    problemWith: (files) => {
      if (recogniser.problem !== undefined) return recogniser.problem;
      const { pending: count = 0 } = recognitionOf(files) ?? {};
      if (problem !== undefined) return files.some(isScan) ? problem : undefined;
      const lacksData = recognise && languages === undefined;
      return lacksData && count > 0 ? { key: "ocr_data_missing", params: { count } } : undefined;
    },
    isToRead: async (file) => {
      const { recognition, sha256 } = file;
      if (recognition === "pending") {
        return languages !== undefined || (await texts.get(sha256))?.isComplete === true;
      }
      if (languages === undefined || !isScan(file)) return false;
      const known = await texts.get(sha256);
      return known !== undefined &&
        (!(known.isComplete && known.languages === nameOf(languages)) || (known.failed?.size ?? 0) > 0);
    },
    removeOthers: (files) => {
      const needed = new Set(files.map(({ sha256 }) => sha256));
      texts.keepOnly((sha256) => needed.has(sha256));
    },
  };
}

function isScan({ recognition, recognised, emptyPages, format }: StoredFile): boolean {
  return recognition !== undefined || recognised !== undefined || emptyPages !== undefined ||
    format === "image";
}

/** The data of the languages, or why it cannot be used: scans then keep the text that is known of them. */
async function languageData(
  modelsDir: string | null,
): Promise<{ languages?: LanguageData[] | undefined; problem?: UserError }> {
  try {
    return { languages: await readLanguageData(modelsDir) };
  } catch (error) {
    if (error instanceof UserError && error.key === "ocr_data_unusable") return { problem: error };
    throw error;
  }
}
