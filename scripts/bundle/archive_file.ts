/** A file of an archive. */
export interface ArchiveFile {
  /** The path in the archive, with `/` as its separator. */
  readonly path: string;
  readonly content: Uint8Array;
  /** Whether the file is a program that can be run. */
  readonly executable?: boolean;
}

/** Returns the Unix permission bits of a file. */
export function modeOf(file: ArchiveFile): number {
  return file.executable ? 0o755 : 0o644;
}
