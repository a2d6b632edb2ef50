/** Languages of the documentation: English, simplified and traditional Chinese. */
export const LANGUAGES = ["en", "zh", "tw"] as const;
export type Language = typeof LANGUAGES[number];

/** A text with words that ask for it: a heading, or a line that describes the text and is not part of it. */
export interface Passage {
  /** The same in every language of the source. */
  readonly id: string;
  readonly language: Language;
  readonly question: string;
  readonly text: string;
}

/** Where the passages of one kind come from. */
export interface Source {
  readonly name: string;
  /** Debian packages that it reads. */
  readonly packages: readonly string[];
  /** Returns the passages in the folder that these packages were unpacked into. */
  passages(root: string): Promise<Passage[]>;
}
