import { FolderStore } from "#library/store/folder/folder_store.ts";
import type { IndexWriter, Store, WriteOptions } from "#library/store/mod.ts";
import { META } from "../../engine/index/_build.ts";
import { KEY } from "../../engine/index/_blob_forge.ts";
import { addFile, ready } from "./_contract.ts";

/** Writes every index as a delta. Without a previous index, its base has other texts, which must not be found. */
class DeltaStore extends FolderStore {
  constructor(root: string) {
    super(root, KEY, undefined, { fromBytes: 0, share: Infinity });
  }

  override async replace<T>(options: WriteOptions, write: (writer: IndexWriter) => Promise<T>): Promise<T> {
    const changes = { bytes: 0, chunks: 0 };
    if (options.previous !== undefined) return await super.replace({ ...options, changes }, write);
    const before = await this.open({ forUpdate: true });
    if (before.state === "ready") before.index.close();
    else {
      await super.replace(options, async (writer) => {
        await addFile(writer, "docs/b.md", ["river bridge", "天气 桥梁", "server index search"]);
        await writer.finish({ ...META, root: this.root }, () => Promise.resolve());
      });
    }
    using previous = await ready(this.open({ forUpdate: true }));
    return await super.replace({ ...options, previous, changes }, write);
  }
}

/** The stores of the program by name. `storeOf` takes the real path of a folder. */
export const STORES: readonly (readonly [name: string, storeOf: (root: string) => Store])[] = [
  ["folder", (root) => new FolderStore(root, KEY)],
  ["folder with a delta", (root) => new DeltaStore(root)],
];
