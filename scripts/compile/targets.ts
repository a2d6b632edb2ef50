/** A system that executables are made for. */
export interface Target {
  /** Target triple of Rust, as in Deno's `--target`. */
  readonly triple: string;
  /** As in the names of release files. */
  readonly os: "linux" | "macos" | "windows";
  readonly arch: "x64" | "arm64";
}

/** Every system that a release is made for. */
export const TARGETS: readonly Target[] = [
  { triple: "x86_64-unknown-linux-gnu", os: "linux", arch: "x64" },
  { triple: "aarch64-unknown-linux-gnu", os: "linux", arch: "arm64" },
  { triple: "x86_64-apple-darwin", os: "macos", arch: "x64" },
  { triple: "aarch64-apple-darwin", os: "macos", arch: "arm64" },
  { triple: "x86_64-pc-windows-msvc", os: "windows", arch: "x64" },
];

/** Returns the target of a triple; the default is that of this machine. Throws if no release is made for it. */
export function targetOf(triple: string = Deno.build.target): Target {
  const target = TARGETS.find((target) => target.triple === triple);
  if (target === undefined) throw new Error(`No executable is made for ${triple}`);
  return target;
}

/** Returns the path of the executable with models beside the one without. */
export function modelsName(path: string): string {
  return path.replace(/(?=\.exe$|$)/, "-models");
}

/** Returns the file name of an executable: `muxue_rag-0.1.0-linux-x64`, with `.exe` on Windows. */
export function executableName(version: string, { os, arch }: Pick<Target, "os" | "arch">): string {
  return `muxue_rag-${version}-${os}-${arch}${os === "windows" ? ".exe" : ""}`;
}
