import type { Sandbox, Start } from "./_program.ts";

/** Starts a command in a sandbox, with only the sandbox's environment, connected by three pipes. */
export function spawnIn(
  { env, cwd }: Pick<Sandbox, "env" | "cwd">,
  { cmd, args }: ReturnType<Start>,
): Deno.ChildProcess {
  return new Deno.Command(cmd, {
    args,
    env,
    cwd,
    clearEnv: true,
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
}
