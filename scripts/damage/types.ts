import type { Random } from "./random.ts";

/** Outcomes of a try: the last three are defects. */
export const OUTCOMES = ["same", "refused", "different", "internal error", "hang"] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** Questions to the program about a damaged index. */
export const STAGES = ["search", "other folder", "index run", "run after touch", "full run"] as const;
export type Stage = (typeof STAGES)[number] | "registry";

/** The indexes that a kind of damage is made of. */
export interface Sound {
  /** The index of the honest folder. */
  readonly honest: Uint8Array<ArrayBuffer>;
  /** The index of a folder with the same names and false texts. */
  readonly shipped: Uint8Array<ArrayBuffer>;
  /** The index of another folder, which has some of the same files under other paths. */
  readonly other: Uint8Array<ArrayBuffer>;
  /** The honest folder. */
  readonly root: string;
  /** The key that this installation's indexes are sealed with. */
  readonly key: Uint8Array;
}

/** A damaged file. */
export interface Damage {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Bytes of the file where it is longer than `bytes`; the rest is a hole. */
  readonly size?: number;
}

/** A kind of attack. */
export interface Kind {
  /** `group: what`; the group is one row of the short table. */
  readonly name: string;
  /** The bytes are changed under an index that is open, between two searches. */
  readonly inPlace?: boolean;
  /** The index is believed, as its maker has the key: a different answer is no defect, a hang or an error is. */
  readonly isBelieved?: boolean;
  /** Only this stage is looked at. */
  readonly only?: Stage;
  readonly damage: (sound: Sound, random: Random) => Damage;
}
