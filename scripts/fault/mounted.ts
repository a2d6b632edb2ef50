import { runTool } from "./run_tool.ts";
import { Untried } from "./untried.ts";

/** A mounted file system. Disposal unmounts it. */
export interface Mounted extends Disposable {
  /** Mounts it again with other options. */
  again(...args: string[]): Promise<void>;
}

/** Mounts a file system at `path`. `args`: those of `mount` before the path. Throws {@linkcode Untried} without the right to. */
export async function mounted(path: string, ...args: string[]): Promise<Mounted> {
  await mount(...args, path);
  return {
    again: (...args) => mount(...args, path),
    [Symbol.dispose]: () => void new Deno.Command("umount", { args: [path] }).outputSync(),
  };
}

async function mount(...args: string[]): Promise<void> {
  const { success, stderr } = await runTool("mount", args);
  if (!success) throw new Untried(stderr);
}
