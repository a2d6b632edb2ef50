import { CHUNKING_STRATEGIES, GENERATED, OCR } from "./choices.ts";
import { DEFAULTS } from "./_defaults.ts";
import {
  autoOrWholeNumber,
  boolean,
  choice,
  encoding,
  falseOrPaths,
  number,
  texts,
  wholeNumber,
} from "./_fields.ts";

/** The section `chunking`: how documents are split. */
export const CHUNKING = {
  /** Where documents are split. */
  "strategy": choice(CHUNKING_STRATEGIES).default(DEFAULTS.chunking.strategy),
  /** Most UTF-16 units of a chunk, overlap included. */
  "max_chars": wholeNumber(100, 100_000).default(DEFAULTS.chunking.max_chars),
  /** Most UTF-16 units that a chunk repeats of the previous one. Default: 120, or a tenth of a small `max_chars`. */
  "overlap": wholeNumber(0, 50_000).optional(),
  /** Chunks of each file, whatever their size; `auto`: by `max_chars`. */
  "chunks_per_file": autoOrWholeNumber(1, 100_000).default(DEFAULTS.chunking.chunks_per_file),
};

/** The section `files`: which files are indexed, and how they are read. */
export const FILES = {
  /** Patterns in `.gitignore` syntax. If there are any, only files that match one are indexed. */
  "include": texts().default([...DEFAULTS.files.include]),
  /** Patterns in `.gitignore` syntax of files and folders to skip. */
  "exclude": texts().default([...DEFAULTS.files.exclude]),
  /** Whether `.gitignore` and `.muxueragignore` are obeyed. */
  "ignore_files": boolean().default(DEFAULTS.files.ignore_files),
  /** Larger files are skipped. In MB of 1,000,000 bytes. */
  "max_file_mb": number(0.001, 2048).default(DEFAULTS.files.max_file_mb),
  /** `auto`, or a label of `TextDecoder` for all files. */
  "encoding": encoding().default(DEFAULTS.files.encoding),
  /** Whether files generated for machines (bundles, lock files, dumps) are skipped. */
  "generated": choice(GENERATED).default(DEFAULTS.files.generated),
  /** Whether text is recognised in scanned pages of PDF and in pictures. */
  "ocr": choice(OCR).default(DEFAULTS.files.ocr),
  /** Sensitive folders that may be indexed; absolute paths after loading. */
  "allow_sensitive": falseOrPaths().default(DEFAULTS.files.allow_sensitive),
};
