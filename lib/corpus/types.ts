import type { JunkReason } from "./junk.ts";

/** Binary files that hold no text to speak of, by what people call them. */
export type MediaKind = "archive" | "image" | "audio" | "video";

/** Why a file or a folder was left out without being an error. */
export type SkipReason =
  /** A `.gitignore` or `.muxueragignore` says so. */
  | "ignored"
  /** `files.exclude` names it, or `files.include` does not. */
  | "excluded"
  /** Its name starts with a dot. */
  | "hidden"
  /** The program's own: its configuration, its logs, its list of folders. */
  | "own"
  /** A link to something in the folder, or to nothing. */
  | "link"
  /** A link that leads out of the folder. */
  | "link_outside"
  /** A kind of binary file that people have a word for, by its name or content: archive, image, audio, video. */
  | MediaKind
  /** A document, by its name, of a format that no loader reads. */
  | "no_loader"
  /** Not text, by its name. */
  | "binary_type"
  /** Not text, by its content. */
  | "binary_content"
  /** Text made for machines, see {@linkcode JunkReason}. */
  | JunkReason
  /** A document whose pages hold no text, such as scans. */
  | "no_text"
  | "too_large"
  | "empty"
  /** A device, a pipe, a socket. */
  | "special";

/** One thing a walk came upon. Paths are relative to the folder, `/` between their parts. */
export type Found =
  /**
   * A file that may be text. `size` in bytes, times in milliseconds since 1970; `ctimeMs`: when its content, name or rights
   * were last changed, in whole seconds, where the system says.
   */
  | {
    readonly kind: "file";
    readonly path: string;
    readonly size: number;
    readonly mtimeMs: number;
    readonly ctimeMs?: number;
  }
  /** A file or a whole folder left out; a folder counts once. */
  | { readonly kind: "skipped"; readonly path: string; readonly reason: SkipReason }
  /**
   * A file or folder the system would not show. `leftOut`: a folder that is left out with all that was known of it, because
   * an ignore file in it cannot be obeyed.
   */
  | {
    readonly kind: "failed";
    readonly path: string;
    readonly error: unknown;
    readonly leftOut?: boolean;
  };
