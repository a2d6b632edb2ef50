import { programFile } from "./systems.ts";
import { tarGz } from "./tar.ts";
import type { Executable, Made, Release } from "./types.ts";
import { zip } from "./zip.ts";

/** Makes an archive of each executable and its licences: .zip for Windows, .tar.gz for other systems. */
export function archives(release: Release): Generator<Made & { readonly executable: Executable }> {
  return archivesOf(release, release.executables, "");
}

/** Makes such an archive of each executable that contains the local models. */
export function archivesWithModels(release: Release): Generator<Made & { readonly executable: Executable }> {
  return archivesOf(release, release.executablesWithModels ?? [], "-models");
}

function* archivesOf(
  release: Release,
  executables: readonly Executable[],
  end: string,
): Generator<Made & { readonly executable: Executable }> {
  for (const executable of executables) {
    const { os, arch, content } = executable;
    const files = [{ path: programFile(os), content, executable: true }, ...release.licenses];
    const name = `muxue_rag-${release.values["version"]}-${os}-${arch}${end}`;
    yield os === "windows"
      ? { executable, path: `${name}.zip`, content: zip(files, release.time) }
      : { executable, path: `${name}.tar.gz`, content: tarGz(files, release.time) };
  }
}
