import { equal, rejects } from "node:assert/strict";
import { keepPaidVectors } from "../../lib/ingest/keep_paid_vectors.ts";
import { folderStore } from "../../lib/store/mod.ts";
import { KEY } from "../index/_blob_forge.ts";
import { ON_WINDOWS, TempDir } from "../sandbox/helpers.ts";

Deno.test(
  "keepPaidVectors() throws where the data folder is a link, instead of taking the index for missing",
  {
    ignore: ON_WINDOWS,
  },
  async () => {
    using dir = new TempDir();
    const store = folderStore(dir.path, KEY);
    equal(await store.paidVectors({ model: "m" }), undefined);
    await keepPaidVectors(store, KEY, "m");
    Deno.symlinkSync(".muxue_rag", dir.at(".muxue_rag"));
    await rejects(() => store.paidVectors({ model: "m" }), { key: "data_folder_unsafe" });
    await rejects(() => keepPaidVectors(store, KEY, "m"), { key: "data_folder_unsafe" });
  },
);
