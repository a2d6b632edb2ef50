import { equal, rejects } from "node:assert/strict";
import { keepPaidVectors } from "../../lib/ingest/keep_paid_vectors.ts";
import { openStoredVectors } from "../../lib/ingest/open_stored_vectors.ts";
import { ON_WINDOWS, TempDir } from "../sandbox/helpers.ts";

Deno.test("an index that cannot be looked at is not taken for none: its vectors were paid for", {
  ignore: ON_WINDOWS,
}, async () => {
  using dir = new TempDir();
  const root = dir.at(".");
  equal(await openStoredVectors(root, { model: "m" }), undefined);
  await keepPaidVectors(root, "m");
  Deno.symlinkSync(".muxue_rag", dir.at(".muxue_rag"));
  await rejects(openStoredVectors(root, { model: "m" }), Deno.errors.FilesystemLoop);
  await rejects(keepPaidVectors(root, "m"), Deno.errors.FilesystemLoop);
});
