import { BlobIndex, IndexReader } from "#engine/index/mod.ts";
const key = new Uint8Array(32);
const t = () => performance.now();
const path = Deno.args[0]!;
for (let r = 0; r < 3; r++) {
  let a = t();
  const reader = IndexReader.open(await Deno.open(path), { key });
  console.log("open", (t() - a).toFixed(1));
  a = t(); const f = reader.fields; console.log("fields", (t() - a).toFixed(2));
  a = t(); const table = f.of("tags"); console.log("of", (t() - a).toFixed(2));
  a = t(); const at = table.find("tags\0ttag 5"); console.log("find", (t() - a).toFixed(2));
  a = t(); table.find("tags\0ttag 5/"); console.log("find", (t() - a).toFixed(2));
  a = t(); table.find("tags\0ttag 50"); console.log("find", (t() - a).toFixed(2));
  const m = new Uint8Array(reader.files.length);
  a = t(); table.mark(at, at + 1, m); console.log("mark", (t() - a).toFixed(2));
  a = t(); new Uint8Array(10_000_000); console.log("alloc 10 MB", (t() - a).toFixed(2));
  reader.close();
}
