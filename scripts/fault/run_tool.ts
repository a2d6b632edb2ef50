/** Runs a program of the system. The output is not successful if there is no such program. */
export async function runTool(
  command: string,
  args: string[],
): Promise<{ readonly success: boolean; readonly stderr: string }> {
  try {
    const { success, stderr } = await new Deno.Command(command, { args, stdout: "null" }).output();
    return { success, stderr: new TextDecoder().decode(stderr) };
  } catch (error) {
    // `output()` throws before it returns a promise.
    if (error instanceof Deno.errors.NotFound) return { success: false, stderr: `${command} is missing` };
    throw error;
  }
}
