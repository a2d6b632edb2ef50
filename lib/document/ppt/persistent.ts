import { DocumentError } from "../types.ts";
import { broken, type PptRecord, recordAt, TYPE, uint32 } from "./records.ts";

/** Records that a presentation refers to by number. Each save may replace them by new ones. */
export class PersistentRecords {
  /** The record that lists the slides. */
  readonly document: PptRecord;
  readonly #stream: Uint8Array;
  readonly #offsets = new Map<number, number>();

  /** `user`: the stream that refers to the last edit. Throws {@linkcode DocumentError}. */
  constructor(stream: Uint8Array, user: Uint8Array) {
    this.#stream = stream;
    if (uint32(user, 12) === ENCRYPTED) throw encrypted();
    let at = uint32(user, 16);
    let document: number | undefined;
    const seen = new Set<number>();
    while (at !== 0 && !seen.has(at)) {
      seen.add(at);
      const edit = recordAt(stream, at);
      if (edit.type !== TYPE.edit) throw broken();
      // An encrypted file also refers to its keys.
      if (edit.data.length >= 32 && uint32(edit.data, 28) !== 0) throw encrypted();
      document ??= uint32(edit.data, 16);
      this.#add(recordAt(stream, uint32(edit.data, 12)));
      at = uint32(edit.data, 8);
    }
    const found = document === undefined ? undefined : this.get(document);
    if (found === undefined) throw broken();
    this.document = found;
  }

  /** Returns the newest record of a number. */
  get(number: number): PptRecord | undefined {
    const at = this.#offsets.get(number);
    return at === undefined ? undefined : recordAt(this.#stream, at);
  }

  /** Adds the offsets in a directory, except for numbers that are already known from a newer edit. */
  #add({ type, data }: PptRecord): void {
    if (type !== TYPE.directory) throw broken();
    for (let at = 0; at + 4 <= data.length;) {
      const head = uint32(data, at);
      const count = head >>> 20;
      at += 4;
      for (let i = 0; i < count && at + 4 <= data.length; i++, at += 4) {
        const number = (head & 0xfffff) + i;
        if (!this.#offsets.has(number)) this.#offsets.set(number, uint32(data, at));
      }
    }
  }
}

const ENCRYPTED = 0xf3d1c4df;

function encrypted(): DocumentError {
  return new DocumentError("encrypted", "a password is needed to open the file");
}
