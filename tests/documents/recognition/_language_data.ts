import { createHash } from "node:crypto";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import type { LanguageData } from "#documents/recognition/request.ts";
import { type Package, packageBytes } from "../../../scripts/npm_package.ts";

/** The data that `model install ocr` installs, by language, with its SHA-256. */
const DATA: Readonly<Record<string, Package & { readonly sha256: string }>> = {
  "eng": {
    spec: "@tesseract.js-data/eng@1.0.0",
    integrity: "mbTumm6KQPUHyzTPQaF3ObXYnx0SqqfV2nabqFVQBwD6Kl7PhGSLSzOlfFTWy0P3BjghaSKA2W9GB19Jk+ZcTg==",
    file: "package/4.0.0_best_int/eng.traineddata.gz",
    sha256: "5dc5d8d640a212c9d6184921ba103b186f50e0fed9ee716c53e6b312b400d747",
  },
  "chi_sim": {
    spec: "@tesseract.js-data/chi_sim@1.0.0",
    integrity: "iuErURkPbECDUazgsLn/r3c+tU2y5o5S/w14d0A/YiagfsjYyZKgTo75RUpsGJ311qtu0dIX4hqnXAAjmqf2CA==",
    file: "package/4.0.0_best_int/chi_sim.traineddata.gz",
    sha256: "9784f7c917c546424b690fcde708ce1f604a4393d08bb51ddab146d7d7c794e6",
  },
};

/** A folder outside the repository that keeps what tests have fetched from npm: the models folder of a user. */
const MODELS = join(tmpdir(), "muxue_rag-test-models");

/** Returns a models folder with the data of Tesseract in its folder `ocr`. It is fetched with npm once. */
export async function modelsWithOcr(): Promise<string> {
  const folder = join(MODELS, "ocr");
  await Deno.mkdir(folder, { recursive: true });
  for (const [language, wanted] of Object.entries(DATA)) {
    const path = join(folder, `${language}.traineddata`);
    const found = await Deno.readFile(path).catch(() => new Uint8Array());
    if (sha256(found) === wanted.sha256) continue;
    const bytes = gunzipSync(await packageBytes(wanted));
    if (sha256(bytes) !== wanted.sha256) throw new Error(`${wanted.spec} has other data than expected`);
    // Another test may read or write the file at the same time.
    const partial = `${path}.${crypto.randomUUID()}`;
    await Deno.writeFile(partial, bytes);
    await Deno.rename(partial, path);
  }
  return MODELS;
}

/** Returns the data of both languages, English first. */
export async function languageData(): Promise<LanguageData[]> {
  const folder = join(await modelsWithOcr(), "ocr");
  return await Promise.all(
    Object.keys(DATA).map(async (language) => ({
      language,
      bytes: await Deno.readFile(join(folder, `${language}.traineddata`)),
    })),
  );
}

function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
