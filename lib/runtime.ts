/** The version of Deno that the program is written for. The workflows, installers and texts name the same one. */
export const WRITTEN_FOR = "2.8.3";

/** Whether the runtime is older than Deno 2.8. */
export const IS_OLD_RUNTIME: boolean = isBefore28(Deno.version.deno);

/** Whether the runtime leaves out names that are not UTF-8 where it lists a folder, without an error. */
export const HIDES_NAMES: boolean = IS_OLD_RUNTIME && Deno.build.os === "linux";

/** Whether a version of Deno is older than 2.8. */
export function isBefore28(version: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major < 2 || major === 2 && minor < 8;
}
