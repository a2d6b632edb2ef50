import { encode } from "fast-png";
import { basename } from "node:path";
import type { z } from "zod";
import { UserError } from "#foundation/errors.ts";
import { ownProcess } from "#foundation/boundary/mod.ts";
import type { Generated } from "#engine/index/mod.ts";
import { FolderFiles } from "#library/archives/mod.ts";
import { EXTRACT_ARGUMENT, Extractor } from "#library/extract/mod.ts";
import { Estimator, Generator } from "#library/generate/mod.ts";
import { ingest } from "#library/ingest/mod.ts";
import {
  type CaptionContext,
  type CaptionShare,
  captionShare,
  makeCaptions,
} from "#library/ingest/generation/mod.ts";
import type { Hit } from "#library/search/mod.ts";
import type { Answered, LanguageModel, ModelRequest } from "#models/language/mod.ts";
import { picturesAnswer } from "#library/answer/mod.ts";
import { config, Place } from "../_place.ts";

/** A PNG with stripes of a width that tells it from others, so that it is not blank. */
export function striped(stripe: number, width = 400, height = 300): Uint8Array<ArrayBuffer> {
  const data = new Uint8Array(width * height).map((_, i) => Math.floor(i % width / stripe) % 2 * 200 + 30);
  return Uint8Array.from(encode({ width, height, channels: 1, data }));
}

/** A model that sees pictures and answers as `answer` says, which gets the request. */
export class SeeingModel implements LanguageModel {
  readonly id = "test/seeing";
  readonly origin = "http://127.0.0.1:1";
  readonly isLocal = true;
  readonly contextTokens = 8192;
  readonly parameters = "temperature 0";
  readonly concurrency = 2;
  readonly requests: ModelRequest[] = [];

  constructor(public answer: (request: ModelRequest) => unknown) {}

  async object<Value>(request: ModelRequest, schema: z.ZodType<Value>): Promise<Answered<Value>> {
    this.requests.push(request);
    await new Promise((resolve) => setTimeout(resolve));
    const { success, data } = schema.safeParse(this.answer(request));
    if (!success) throw new UserError("llm_failed");
    return { value: data, usage: { inputTokens: 900, outputTokens: 40, isEstimated: false, calls: 1 } };
  }

  text(): Promise<Answered<string>> {
    throw new TypeError("not asked for");
  }
}

/** A folder whose pictures are described. */
export class CaptionedFolder implements Disposable {
  readonly place = new Place();
  readonly #extractor = new Extractor(ownProcess(EXTRACT_ARGUMENT, Deno.env.toObject()), { processes: 2 });

  constructor(files: Readonly<Record<string, string | Uint8Array>>) {
    this.place.write(files);
  }

  /** Indexes the folder and describes its pictures. Returns the summary and the number of requests. */
  async run(model: SeeingModel, isFull = false) {
    await ingest(this.place.root, await this.#config(), this.#ingestContext(), { full: isFull });
    const before = model.requests.length;
    const summary = await makeCaptions(this.#context(model));
    return { ...summary, calls: model.requests.length - before };
  }

  /** The number of pictures that a run would ask about. */
  async planned(model: SeeingModel): Promise<number> {
    const estimator = new Estimator(this.place.store.generated, model);
    await makeCaptions({ ...this.#context(model), generator: estimator }, { isEstimate: true });
    return estimator.estimates.get("caption")?.images ?? 0;
  }

  /** How far the captions are, as `status` counts it. */
  async share(model: SeeingModel): Promise<CaptionShare> {
    const loaded = await this.place.store.open();
    if (loaded.state !== "ready") throw new Error(loaded.state);
    using index = loaded.index;
    return await captionShare(index, new Estimator(this.place.store.generated, model));
  }

  /** The captions of each file, by the numbers of the pictures. */
  async captions(): Promise<Record<string, Generated["captions"]>> {
    const loaded = await this.place.store.open();
    if (loaded.state !== "ready") throw new Error(loaded.state);
    using index = loaded.index;
    const all = await index.generated(Int32Array.from(Array(index.statistics.chunks).keys()));
    return Object.fromEntries(index.files.map(({ path, firstChunk, chunkCount }) => [
      path,
      all.slice(firstChunk, firstChunk + chunkCount).flatMap((one) => one?.captions ?? []),
    ]));
  }

  /** Returns the list of the pictures of a file as a client reads it. */
  async listed(path: string): Promise<string> {
    const library = await this.place.library({ config: await this.#config(), extractor: this.#extractor });
    const pictures = await library.readPictures(this.place.at(path), { want: "list" });
    const limit = { maxTokens: 4_000, shape: "text" } as const;
    return picturesAnswer(pictures, { language: "en", limit, offset: 0, cursorAfter: String }).text;
  }

  async search(
    query: string,
  ): Promise<Pick<Hit, "images" | "content"> & { readonly name: string } | undefined> {
    const library = await this.place.library({ config: await this.#config(), extractor: this.#extractor });
    const [hit] = (await library.search({ query })).hits;
    return hit && { name: basename(hit.filePath), images: hit.images!, content: hit.content };
  }

  async #config() {
    return await config({
      llm: { tasks: ["caption"] },
      vision_llm: { provider: "ollama", model: "seeing" },
    });
  }

  #ingestContext() {
    return { ...this.place.context, extractor: this.#extractor };
  }

  #context(model: SeeingModel): CaptionContext {
    const { place: { root, store } } = this;
    return {
      store,
      generator: new Generator(store.generated, model),
      files: new FolderFiles(root, { extractor: this.#extractor, maxBytes: 50_000_000 }),
      extractor: this.#extractor,
      language: "en",
    };
  }

  [Symbol.dispose](): void {
    this.#extractor[Symbol.dispose]();
    this.place[Symbol.dispose]();
  }
}
