import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { BUNDLED, bundledPath, CATALOGUE } from "#models/install/mod.ts";
import { startFlags } from "./start_flags.ts";

const MAIN = fileURLToPath(new URL("../../main.ts", import.meta.url));

/** Installs the models that an executable can contain in a folder, from the sources of the program. Throws if that fails. */
export async function fetchModels(folder: string): Promise<void> {
  const { success } = await new Deno.Command(Deno.execPath(), {
    args: ["run", ...startFlags(), MAIN, "model", "install", ...BUNDLED],
    env: { MUXUE_RAG_MODELS_DIR: folder },
    stdin: "null",
  }).output();
  if (!success) throw new Error("The models could not be fetched. Try: muxue_rag model install");
}

/** Copies the files of installed models below the folder of an executable's files. Returns their paths. */
export async function stageModels(models: string, files: string): Promise<string[]> {
  const paths: string[] = [];
  for (const id of BUNDLED) {
    for (const name of Object.keys(CATALOGUE[id].files)) {
      const path = join(files, bundledPath(id, name));
      await Deno.mkdir(dirname(path), { recursive: true });
      await Deno.copyFile(join(models, id, name), path);
      paths.push(path);
    }
  }
  return paths;
}
