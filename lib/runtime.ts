/** The version of Deno that the program is written for. The workflows, installers and texts name the same one. */
export const WRITTEN_FOR = "2.8.3";

/**
 * Whether the runtime is older than Deno 2.8. An older one hides names that are not UTF-8 on Linux and ends no unfinished
 * handshake of TLS.
 */
export const IS_OLD_RUNTIME: boolean = isBefore28(Deno.version.deno);

function isBefore28(version: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major < 2 || major === 2 && minor < 8;
}
