import type { Target } from "../compile/targets.ts";

/** The name of a system in Node.js, npm and MCP bundles. */
export const NODE_PLATFORM: Readonly<Record<Target["os"], string>> = {
  linux: "linux",
  macos: "darwin",
  windows: "win32",
};

/** Returns the file name of the program on a system. */
export function programFile(os: Target["os"]): string {
  return os === "windows" ? "muxue_rag.exe" : "muxue_rag";
}
