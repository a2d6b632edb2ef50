import { deepEqual, equal, match } from "node:assert/strict";
import { BackgroundRecognition } from "#program/commands/serve/background_work.ts";
import { BackgroundUpdates } from "#program/commands/serve/background_updates.ts";
import type { Session } from "#program/request.ts";
import { EXTRACT_ARGUMENT, Extractor } from "#library/extract/mod.ts";
import { folderStatus, ingest } from "#library/ingest/mod.ts";
import { NO_LOG } from "#foundation/log.ts";
import { ownProcess } from "#foundation/boundary/mod.ts";
import { modelsWithOcr } from "../documents/recognition/_language_data.ts";
import { sample } from "../documents/recognition/_samples.ts";
import { KEY } from "../engine/index/_blob_forge.ts";
import { config, Place } from "../library/ingest/_place.ts";
import { fakeContext, fakeRequest } from "./_fake_io.ts";

const openProcess = ownProcess(EXTRACT_ARGUMENT, Deno.env.toObject());

/** A served folder with a note and a fax, whose index was made without its text. */
class Served implements Disposable {
  readonly place = new Place();
  readonly #extractor = new Extractor(openProcess);
  stderr = () => "";

  async session(modelsDir: string | null): Promise<Session> {
    const { files, ...rest } = await config();
    const withOcr = { ...rest, files: { ...files, ocr: "tesseract" as const } };
    const { context, stderr } = fakeContext({ flags: { dir: [this.place.root] }, language: "en" });
    this.stderr = stderr;
    const request = fakeRequest({
      command: "serve",
      roots: [this.place.root],
      indexKey: KEY,
      config: withOcr,
      stateDir: this.place.beside("state"),
      modelsDir,
    });
    return {
      ...request,
      ...context,
      log: NO_LOG,
      extractor: this.#extractor,
      models: () => Promise.resolve(undefined),
      languageModels: () => Promise.resolve(undefined),
      traces: () => Promise.resolve(undefined),
    };
  }

  async index(session: Session): Promise<void> {
    this.place.write({ "note.md": "green tea", "fax.tif": sample("pages.tif") });
    await ingest(this.place.root, session.config, session);
  }

  async recognition(session: Session) {
    return (await folderStatus(this.place.root, session.config, session)).recognition;
  }

  [Symbol.dispose](): void {
    this.#extractor[Symbol.dispose]();
    this.place[Symbol.dispose]();
  }
}

const soon = () => new Promise((resolve) => setTimeout(resolve, 50));

Deno.test("a server recognises the scans of its folders and adds their text to the index", async () => {
  using served = new Served();
  const session = await served.session(await modelsWithOcr());
  await served.index(session);
  deepEqual(await served.recognition(session), { pages: 0, pending: 1 });
  {
    await using updates = new BackgroundUpdates(session);
    const takeUp = updates.takeUp.bind(updates);
    await using _recognition = new BackgroundRecognition(session, { isBusy: () => false, takeUp });
    while ((await served.recognition(session))?.pages !== 2) await soon();
  }
  deepEqual(await served.recognition(session), { pages: 2, pending: 0 });
  equal(served.stderr(), "");
});

Deno.test("scans wait while searches are under way, and while another process recognises them", async () => {
  using served = new Served();
  const session = await served.session(await modelsWithOcr());
  await served.index(session);
  const told: string[] = [];
  const takeUp = (_root: string, paths: ReadonlySet<string>) => void told.push(...paths);
  {
    await using _lock = await served.place.store.lock("recognition");
    await using _recognition = new BackgroundRecognition(session, { isBusy: () => false, takeUp });
    for (let i = 0; i < 10; i++) await soon();
  }
  deepEqual(told, []);
  let asked = 0;
  await using _recognition = new BackgroundRecognition(session, { isBusy: () => asked++ < 20, takeUp });
  while (told.length === 0) await soon();
  deepEqual([told, asked > 20], [["fax.tif"], true]);
  equal(served.stderr(), "");
});

Deno.test("data that is not installed is reported once", async () => {
  using served = new Served();
  const session = await served.session(null);
  await served.index(session);
  await using _recognition = new BackgroundRecognition(session, { isBusy: () => false, takeUp: () => {} });
  while (served.stderr() === "") await soon();
  match(served.stderr(), /^Note: The scans in .* were not recognised: .* Run: muxue_rag model install ocr/);
});
