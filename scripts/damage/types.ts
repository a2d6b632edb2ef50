import type { Random } from "./random.ts";

/** Outcomes of a try: the last three are defects. */
export const OUTCOMES = ["same", "refused", "different", "internal error", "hang"] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** Operations that are tried with a damaged index. */
export const STAGES = ["search", "other folder", "index run", "run after touch", "full run"] as const;
export type Stage = (typeof STAGES)[number] | "registry";

/** The indexes from which a kind of damage is made. */
export interface Sound {
  /** The index of the honest folder. */
  readonly honest: Uint8Array<ArrayBuffer>;
  /** The index of a folder with the same file names but false texts. */
  readonly shipped: Uint8Array<ArrayBuffer>;
  /** The index of another folder, which has some of the same files under other paths. */
  readonly other: Uint8Array<ArrayBuffer>;
  /** The honest folder. */
  readonly root: string;
  /** The key that seals the indexes of this installation. */
  readonly key: Uint8Array;
}

/** A damaged file. */
export interface Damage {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Size of the file if it is longer than `bytes`; the rest is a hole. */
  readonly size?: number;
}

/** A kind of attack. */
export interface Kind {
  /** `group: description`. The group is a row of the short table. */
  readonly name: string;
  /** Whether the bytes are changed while the index is open, between two searches. */
  readonly inPlace?: boolean;
  /**
   * Whether the seal is valid because the forger has the key. A different answer is then not a defect, but a hang or an
   * error is.
   */
  readonly isBelieved?: boolean;
  /** Run only this stage. */
  readonly only?: Stage;
  readonly damage: (sound: Sound, random: Random) => Damage;
}
