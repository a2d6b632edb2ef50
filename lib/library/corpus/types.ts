/**
 * The files that a walk through a folder finds, and the reasons why others are left out. A rule skips a file; a problem makes it fail.
 */
import type { MediaKind } from "#documents/mod.ts";
import type { JunkReason } from "./junk.ts";

/** Why a file or a folder was skipped. None of these is an error. */
export type SkipReason =
  /** A `.gitignore` or `.muxueragignore` says so. */
  | "ignored"
  /** `files.exclude` names it, or `files.include` does not. */
  | "excluded"
  /** The user took it out of the index. */
  | "removed"
  /** Its name starts with a dot. */
  | "hidden"
  /** Belongs to the program: configuration, logs, list of folders. */
  | "own"
  /** A link to an entry of the folder, or a dangling link. */
  | "link"
  /** A link that leads out of the folder. */
  | "link_outside"
  /** A binary file of a known kind, by its name or content. */
  | MediaKind
  /** A document, by its name, in a format that no loader reads. */
  | "no_loader"
  /** Not text, by its name. */
  | "binary_type"
  /** Not text, by its content. */
  | "binary_content"
  /** Text generated for machines, see {@linkcode JunkReason}. */
  | JunkReason
  /** A document without text, such as scanned pages. */
  | "no_text"
  | "too_large"
  /** An archive, whose files are in the index. */
  | "opened"
  | "empty"
  /** A device, a pipe, a socket. */
  | "special";

/** One result of a walk. Paths are relative to the folder and separated by `/`. */
export type Found =
  /**
   * A file that may be text. `size` is in bytes, times are in milliseconds since 1970. `ctimeMs` is the last change of
   * content, name or permissions, with the precision of a second, where the system has it.
   */
  | {
    readonly kind: "file";
    readonly path: string;
    readonly size: number;
    readonly mtimeMs: number;
    readonly ctimeMs?: number;
    /** Set for an archive whose files are listed: a text that changes if the rules choose other files of it. */
    readonly archive?: string;
    /** The path of the archive that the file is in. */
    readonly within?: string;
    /** Why a file in an archive is not indexed. */
    readonly skip?: SkipReason;
  }
  /** A skipped file, or a whole skipped folder. */
  | { readonly kind: "skipped"; readonly path: string; readonly reason: SkipReason }
  /**
   * A file or folder that could not be read. `leftOut`: a folder whose content is skipped, and removed from the index,
   * because an ignore file in it is unusable.
   */
  | {
    readonly kind: "failed";
    readonly path: string;
    readonly error: unknown;
    readonly leftOut?: boolean;
  }
  /** A path of `WalkOptions.only` where there is nothing, or one of its folders that is not there. */
  | { readonly kind: "gone"; readonly path: string };
