import { deepEqual } from "node:assert/strict";
import { BackgroundVectors } from "#program/commands/serve/background_work.ts";
import { reembed } from "#program/commands/serve/background_updates.ts";
import { neuralShare } from "#library/ingest/mod.ts";
import { topicModels } from "../models/embedding/_topic_models.ts";
import { assertUserError } from "../foundation/boundary/helpers.ts";
import { KeptFolder } from "./_kept_folder.ts";
import { storeAt } from "../library/ingest/_place.ts";

const { signal } = new AbortController();

Deno.test("a document gets new vectors of the index and of local models, while the background work rests", async () => {
  await using folder = new KeptFolder({ "cat.md": "A kitten.", "bread.md": "A loaf of bread." });
  await folder.settled();
  const models = topicModels();
  await using vectors = new BackgroundVectors(folder.session, models, { isBusy: () => false });
  while (models.of("en").texts.length < 2) await new Promise((resolve) => setTimeout(resolve, 10));
  let made: ReturnType<typeof reembed>;
  const cat = { root: folder.root, path: "cat.md", signal };
  await folder.clock.through(() => made = reembed(folder.session, folder.updates, { models, vectors }, cat));
  const { id } = models.of("en");
  const { models: of, ...rest } = await made!;
  deepEqual([rest, of[0]!.split(":")[0]!.slice(0, 7), of.slice(1)], [
    { chunks: 1, refused: 0 },
    "builtin",
    [id],
  ]);
  deepEqual(models.of("en").texts.toSorted(), ["A kitten.", "A kitten.", "A loaf of bread."]);
  const share = await neuralShare(storeAt(folder.root), models);
  deepEqual([share?.done, share?.total], [2, 2]);
});

Deno.test("a document without an index, and a configuration without vectors, are errors", async () => {
  await using folder = new KeptFolder({ "cat.md": "A kitten." });
  await folder.settled();
  let made: Promise<unknown>;
  const no = { root: folder.root, path: "no.md", signal };
  await folder.clock.through(() =>
    (made = reembed(folder.session, folder.updates, undefined, no)).catch(() => {})
  );
  await assertUserError(() => made, "document_not_indexed");
  const config = { ...folder.session.config };
  const without = {
    ...folder.session,
    config: { ...config, embedding: { ...config.embedding, provider: "none" as const } },
  };
  await assertUserError(
    () => reembed(without, folder.updates, undefined, no),
    "no_vectors_made",
  );
});
