import type { Target } from "../compile/targets.ts";

/** How Node.js, npm and MCP bundles name a system. */
export const NODE_PLATFORM: Readonly<Record<Target["os"], string>> = {
  linux: "linux",
  macos: "darwin",
  windows: "win32",
};

/** Name of the program's file on a system. */
export function programFile(os: Target["os"]): string {
  return os === "windows" ? "muxue_rag.exe" : "muxue_rag";
}
