import { type PptRecord, recordsIn, TYPE, uint32 } from "./records.ts";

/** A text on a slide. */
export interface Text {
  /** Type of the text: 0 and 6 are titles, 2 is notes. */
  readonly kind: number;
  readonly text: string;
}

/** Deepest nesting of groups; shapes in deeper ones are left out. */
const DEEPEST = 50;

export function isTitle({ kind }: Text): boolean {
  return kind === 0 || kind === 6;
}

/**
 * Returns the texts among records, with the type in the header before each. `outline`: texts that a record may refer to by
 * index.
 */
export function textsOf(records: Iterable<PptRecord>, outline: readonly Text[] = []): Text[] {
  const texts: Text[] = [];
  let kind = 4;
  for (const { type, data } of records) {
    if (type === TYPE.textHeader) kind = uint32(data, 0);
    else if (type === TYPE.wideText) {
      texts.push({ kind, text: new TextDecoder("utf-16le").decode(data) });
      // One byte per character: the lower halves of UTF-16.
    } else if (type === TYPE.narrowText) texts.push({ kind, text: new TextDecoder("latin1").decode(data) });
    else if (type === TYPE.outlineReference) {
      const found = outline[uint32(data, 0)];
      if (found !== undefined) texts.push(found);
    }
  }
  return texts;
}

/** Returns the texts in the boxes of a slide's drawing, in its order. */
export function boxTexts(container: PptRecord, outline: readonly Text[]): Text[] {
  const texts: Text[] = [];
  const visit = ({ data }: PptRecord, depth: number) => {
    for (const record of recordsIn(data)) {
      if (record.type === TYPE.textBox) texts.push(...textsOf(recordsIn(record.data), outline));
      else if (record.isContainer && depth < DEEPEST) visit(record, depth + 1);
    }
  };
  visit(container, 0);
  return texts;
}
