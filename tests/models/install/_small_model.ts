import { digestOfBytes } from "#models/install/model_location.ts";
import type { CatalogueModel } from "#models/install/catalogue.ts";
import { gzip, tarOf } from "./_tar.ts";

/** A model of a few bytes, and everything that its sources send. */
export interface SmallModel {
  readonly model: CatalogueModel;
  readonly onnx: Uint8Array<ArrayBuffer>;
  readonly tokenizer: Uint8Array<ArrayBuffer>;
  /** The tokenizer as the package has it. */
  readonly packed: Uint8Array<ArrayBuffer>;
  readonly tarball: Uint8Array<ArrayBuffer>;
}

/** Makes a model with a package that holds `more` entries as well. */
export async function smallModel(more: Parameters<typeof tarOf>[0] = []): Promise<SmallModel> {
  const onnx = new TextEncoder().encode("weights ".repeat(100));
  const tokenizer = new TextEncoder().encode('{"vocab":{}}\n');
  const packed = await gzip(tokenizer);
  const tarball = await gzip(tarOf([
    ...more,
    { path: "package/package.json", content: "{}" },
    { path: "package/model/model_quantized.onnx", content: onnx },
    { path: "package/model/tokenizer.json.gz", content: packed },
  ]));
  const model: CatalogueModel = {
    id: "zh",
    name: "small",
    languages: ["zh"],
    licence: "MIT",
    revision: "abc",
    use: { pooling: "cls", dimensions: 8, maxTokens: 16, queryPrefix: "", documentPrefix: "" },
    files: { "model.onnx": digestOfBytes(onnx), "tokenizer.json": digestOfBytes(tokenizer) },
    hub: {
      repository: "some/small",
      paths: { "model.onnx": "onnx/model_quantized.onnx", "tokenizer.json": "tokenizer.json" },
    },
    packages: [{
      name: "@scope/small",
      version: "1.2.3",
      ...digestOfBytes(tarball),
      entries: [
        { path: "package/model/model_quantized.onnx", file: "model.onnx", ...digestOfBytes(onnx) },
        {
          path: "package/model/tokenizer.json.gz",
          file: "tokenizer.json",
          isGzip: true,
          ...digestOfBytes(packed),
        },
      ],
    }],
  };
  return { model, onnx, tokenizer, packed, tarball };
}
