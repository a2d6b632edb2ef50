// asked.ts MODE ROUNDS EXE... : interleaved ingest_now after one changed file.
import { Program } from "../scripts/bench/program.ts";
import { copyFolder } from "../scripts/copy_folder.ts";
const [mode, rounds, ...exes] = Deno.args;
const median = (v: number[]) => v.toSorted((a, b) => a - b)[v.length >> 1]!;
const base = await Deno.makeTempDir({ dir: "/tmp/upd30", prefix: "asked-" });
const env = mode === "keyword" ? { MUXUE_RAG_EMBEDDING_PROVIDER: "none" } : {};
const servers: any[] = [], folders: string[] = [];
try {
  for (const [i, exe] of exes.entries()) {
    const folder = `${base}/f${i}`; 
    await new Deno.Command("cp", { args: ["-r", Deno.env.get("FOLDER") ?? "/tmp/upd30/k5000", folder] }).output();
    await Deno.remove(`${folder}/.muxue_rag`, { recursive: true }).catch(() => {});
    await Deno.mkdir(`${base}/s${i}`);
    const p = new Program(`${base}/s${i}`, exe, env);
    await p.index(folder);
    folders.push(folder);
    servers.push(await p.serve(folder));
    await servers[i].search("water", "keyword");
  }
  await new Promise((r) => setTimeout(r, 4000));
  const wall = exes.map(() => [] as number[]), cpu = exes.map(() => [] as number[]);
  for (let round = -2; round < Number(rounds); round++) for (let k = 0; k < exes.length; k++) {
    const i = round & 1 ? exes.length - 1 - k : k;
    await Deno.writeTextFile(`${folders[i]}/0.md`, `# 1\n\nqxv${round + 5}wkj mxqzvkjw.`);
    const c = cpuOf(servers[i].pid), w = performance.now();
    await servers[i].call("ingest_now", {});
    const t = performance.now() - w, u = cpuOf(servers[i].pid) - c;
    if (round >= 0) { wall[i]!.push(t); cpu[i]!.push(u); }
    await new Promise((r) => setTimeout(r, 1200));
  }
  for (const i of exes.keys()) console.log(exes[i], mode, "wall p50", median(wall[i]!).toFixed(1), "min", Math.min(...wall[i]!).toFixed(1), "cpu p50", median(cpu[i]!).toFixed(1), "min", Math.min(...cpu[i]!).toFixed(1));
} finally {
  for (const s of servers) await s[Symbol.asyncDispose]();
  await Deno.remove(base, { recursive: true });
}
function cpuOf(pid: number): number {
  const tasks = `/proc/${pid}/task`;
  return [...Deno.readDirSync(tasks)].reduce((sum, { name }) => { try { return sum + Number(Deno.readTextFileSync(`${tasks}/${name}/schedstat`).split(" ")[0]) / 1e6; } catch { return sum; } }, 0);
}
