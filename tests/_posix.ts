/** Links, pipes, modes of files and paths such as `/home/me` need permissions on Windows that test machines may lack, or do not exist there. */
export const ON_WINDOWS = Deno.build.os === "windows";

/** A test of links, pipes, modes of files or paths that begin with `/`. It is left out on Windows. */
export function posixTest(name: string, fn: () => void | Promise<void>): void {
  Deno.test({ name, ignore: ON_WINDOWS, fn });
}

/** A test of behaviour that only Windows has. */
export function windowsTest(name: string, fn: () => void | Promise<void>): void {
  Deno.test({ name, ignore: !ON_WINDOWS, fn });
}

/** Whether Wine stands in for Windows (`scripts/windows.ts`). For it, a file was made when it was changed last. */
export const ON_WINE = Deno.env.has("TEST_WINE");

/** A test of watched folders. It is left out under Wine, where a watch reports the first change alone. */
export function watchTest(name: string, fn: () => void | Promise<void>): void {
  Deno.test({ name, ignore: ON_WINE, fn });
}

/** A path, or a text with paths, as tests write it: with `/`, on Windows too. */
export function slashed(text: string): string {
  return ON_WINDOWS ? text.replaceAll("\\", "/") : text;
}

/** A path with a blank in it as the shell of the system takes it, which messages show. */
export function quoted(path: string): string {
  return ON_WINDOWS ? `"${path}"` : `'${path}'`;
}
