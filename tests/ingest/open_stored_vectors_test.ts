import { equal, throws } from "node:assert/strict";
import { keepPaidVectors } from "../../lib/ingest/keep_paid_vectors.ts";
import { openStoredVectors } from "../../lib/ingest/open_stored_vectors.ts";
import { ON_WINDOWS, TempDir } from "../sandbox/helpers.ts";
import { KEY } from "../index/_blob_forge.ts";

Deno.test("an index that cannot be looked at is not taken for none: its vectors were paid for", {
  ignore: ON_WINDOWS,
}, () => {
  using dir = new TempDir();
  const root = dir.path;
  equal(openStoredVectors(root, KEY, { model: "m" }), undefined);
  keepPaidVectors(root, KEY, "m");
  Deno.symlinkSync(".muxue_rag", dir.at(".muxue_rag"));
  throws(() => openStoredVectors(root, KEY, { model: "m" }), { key: "data_folder_unsafe" });
  throws(() => keepPaidVectors(root, KEY, "m"), { key: "data_folder_unsafe" });
});
