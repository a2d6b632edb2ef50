/**
 * Runs a program and returns its stdout. If it fails, throws an error with its stderr, without colours and without the
 * stack of the program's code.
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
