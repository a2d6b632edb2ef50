/**
 * Runs a program to its end and gives what it wrote to stdout. Throws with what it wrote to stderr when it fails, colours
 * and the stack of the program's own code left out.
 */
export async function run(command: string, args: readonly string[], cwd?: string): Promise<string> {
  const { code, stdout, stderr } = await new Deno.Command(command, {
    args: [...args],
    env: { NO_COLOR: "1", RUST_BACKTRACE: "0" },
    ...(cwd === undefined ? {} : { cwd }),
    stdin: "null",
  }).output();
  const decoder = new TextDecoder();
  if (code === 0) return decoder.decode(stdout);
  const [reason] = decoder.decode(stderr).split("\nStack backtrace:");
  throw new Error(`${command} ${args[0] ?? ""} failed\n${reason!.trim()}`);
}
