import { putPartAtEnd } from "./insert_files.ts";
import { run } from "./run.ts";

/**
 * Makes an executable at `path` by `deno compile` with more arguments, without a configuration and without the code cache: it saves no
 * measurable time, and it is in the system's temporary folder under a name that others can guess. `DENORT_BIN` may name a runtime
 * that is older than the compiler.
 */
export async function denoCompile(path: string, args: readonly string[], folder: string): Promise<void> {
  const common = ["compile", "--no-config", "--no-check", "--no-code-cache", `--output=${path}`];
  await run(Deno.execPath(), [...common, ...args], folder);
  const base = Deno.env.get("DENORT_BIN");
  if (base && Deno.build.os === "linux" && !await findsPart(path)) await putPartAtEnd(path, base);
}

/** Whether the runtime in an executable finds its part. */
async function findsPart(executable: string): Promise<boolean> {
  try {
    await run(executable, ["--version"]);
    return true;
  } catch (error) {
    return !String(error).includes("Could not find standalone binary section");
  }
}
