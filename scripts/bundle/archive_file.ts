/** A file to put into an archive. */
export interface ArchiveFile {
  /** Its path there, `/` between the parts. */
  readonly path: string;
  readonly content: Uint8Array;
  /** Whether it may be run. */
  readonly executable?: boolean;
}

/** Permissions of a file, as Unix writes them. */
export function modeOf(file: ArchiveFile): number {
  return file.executable ? 0o755 : 0o644;
}
