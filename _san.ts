import { readDocument } from "#documents/mod.ts";
const dir = Deno.args[0]!;
let n = 0, withMeta = 0, bytes = 0, max = 0; let ms = 0;
const keys: Record<string, number> = {};
for (const e of [...Deno.readDirSync(dir)].sort((a,b)=>a.name<b.name?-1:1)) {
  if (!e.isFile || e.name.endsWith(".expected.md") && dir.includes("pairs")) continue;
  const b = Deno.readFileSync(`${dir}/${e.name}`);
  try {
    const t = performance.now();
    const { document: d, format } = await readDocument(b as never, { path: e.name });
    ms += performance.now() - t;
    n++;
    const m = d.metadata;
    if (m) { withMeta++; const s = JSON.stringify(m).length; bytes += s; max = Math.max(max, s); for (const k of Object.keys(m)) keys[k] = (keys[k] ?? 0) + 1; for (const k of Object.keys(m.extra ?? {})) keys[`extra.${k}`] = (keys[`extra.${k}`] ?? 0) + 1; }
    if (Deno.args[1] && (m || d.links)) console.log(e.name, format, JSON.stringify(m), JSON.stringify(d.links?.slice(0, 5)));
  } catch (x) { if (Deno.args[1]) console.log(e.name, String(x).slice(0, 100)); }
}
console.log(dir, { n, withMeta, bytes, max, ms: Math.round(ms) });
console.log(Object.entries(keys).sort((a, b) => b[1] - a[1]).slice(0, 60).map(([k, v]) => `${k} ${v}`).join(", "));
