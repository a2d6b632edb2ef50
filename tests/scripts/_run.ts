/** The output of a program that has ended, and its exit code. */
export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program to its end. */
export async function run(
  command: string,
  args: readonly string[] = [],
  options: Pick<Deno.CommandOptions, "cwd" | "env"> = {},
): Promise<Ended> {
  const { code, stdout, stderr } = await new Deno.Command(command, { args: [...args], ...options }).output();
  const decoder = new TextDecoder();
  return { code, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
}
