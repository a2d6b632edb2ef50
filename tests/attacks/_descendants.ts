/** Ids of the running descendants of a process. For Linux only. */
export async function descendantsOf(pid: number): Promise<number[]> {
  const found: number[] = [];
  for await (const { name } of Deno.readDir("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    // pid (name) state parent …
    const stat = await Deno.readTextFile(`/proc/${name}/stat`).catch(() => "");
    const [state, parent] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    if (Number(parent) !== pid || state === "Z") continue;
    found.push(Number(name), ...await descendantsOf(Number(name)));
  }
  return found;
}

/** Whether a process runs. False for a zombie. */
export async function runs(pid: number): Promise<boolean> {
  const stat = await Deno.readTextFile(`/proc/${pid}/stat`).catch(() => "");
  return stat !== "" && !/\) Z /.test(stat);
}
