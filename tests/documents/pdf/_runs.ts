import type { Face, Run } from "#documents/pdf/lines.ts";

/** A font that is neither bold nor italic. */
export const PLAIN: Face = { name: "Times-Roman", bold: false, italic: false, mono: false };
/** A bold font. */
export const BOLD: Face = { name: "Times-Bold", bold: true, italic: false, mono: false };
/** A monospaced font. */
export const MONO: Face = { name: "Courier", bold: false, italic: false, mono: true };

/** Returns a run at a position. By default a character is half as wide as the font size. */
export function run(text: string, left: number, baseline: number, options: Partial<Run> = {}): Run {
  const size = options.size ?? 10;
  return {
    text,
    left,
    right: left + text.length * size / 2,
    top: baseline - 0.8 * size,
    bottom: baseline + 0.2 * size,
    baseline,
    size,
    face: PLAIN,
    rtl: false,
    blankLeft: false,
    blankRight: false,
    ...options,
  };
}
