import { fileURLToPath } from "node:url";
import { productValues } from "../../scripts/bundle/product.ts";
import { TEMPLATES } from "../../scripts/bundle/texts.ts";
import type { Executable, Release } from "../../scripts/bundle/types.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const encoder = new TextEncoder();

/** Returns the first twelve bytes of a Mach-O executable for a processor, followed by `text`. */
export function machO(processor: number, text: string): Uint8Array {
  return Uint8Array.of(
    ...[0xcf, 0xfa, 0xed, 0xfe],
    ...[processor, 0, 0, 1],
    ...[0, 0, 0, 0],
    ...encoder.encode(text),
  );
}

/** Small fake executables, one for every system. */
export const EXECUTABLES: readonly Executable[] = [
  { os: "linux", arch: "x64", content: encoder.encode("#!/bin/sh\necho linux x64\n") },
  { os: "linux", arch: "arm64", content: encoder.encode("#!/bin/sh\necho linux arm64\n") },
  { os: "macos", arch: "x64", content: machO(7, "macos x64") },
  { os: "macos", arch: "arm64", content: machO(12, "macos arm64") },
  { os: "windows", arch: "x64", content: encoder.encode("windows x64") },
];

/** Returns the input of release 1.2.3 with `executables` and the real templates. */
export async function fakeRelease(executables: readonly Executable[] = EXECUTABLES): Promise<Release> {
  return {
    values: productValues("1.2.3", "someone/muxue_rag"),
    time: new Date("2026-01-31T12:00:00Z"),
    executables,
    licenses: ["LICENSE", "NOTICE", "THIRD_PARTY_LICENSES"].map((path) => ({
      path,
      content: encoder.encode(`${path}\n`),
    })),
    sbom: "{}\n",
    templates: Object.fromEntries(
      await Promise.all(TEMPLATES.map(async (path) => [path, await Deno.readTextFile(ROOT + path)])),
    ),
  };
}
