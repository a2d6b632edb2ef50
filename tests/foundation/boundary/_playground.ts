import { TempDir } from "./helpers.ts";

/** A folder with `root`, which is allowed, and `root-secret` beside it, which is not. */
export function playground(): TempDir {
  const temp = new TempDir();
  temp.write("root/a.txt");
  temp.write("root/sub/日记 100% 🎉.txt");
  temp.write("root/%41.txt");
  temp.write("root/.git/config");
  temp.write("root/.muxue_rag/index.bin");
  temp.write("root-secret/key.txt");
  return temp;
}
