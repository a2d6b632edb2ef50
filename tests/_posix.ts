/** Links, pipes and modes of files need permissions on Windows that test machines may lack, or do not exist there. */
export const ON_WINDOWS = Deno.build.os === "windows";

/** A test of links, pipes or modes of files. It is left out on Windows. */
export function posixTest(name: string, fn: () => void | Promise<void>): void {
  Deno.test({ name, ignore: ON_WINDOWS, fn });
}
