/** Codes of languages by script, as bytes. */
export const LANGUAGE_CODES = { other: 0, en: 1, zh: 2, ja: 3, ko: 4 } as const;

/** UTF-16 units that are examined, evenly spread. More would seldom change the result. */
const SAMPLE = 256;
/** Latin letters that count as much as one Chinese character. */
const HAN_LETTERS = 2.5;
/** Least share of kana in Japanese text. In prose it is about half; a Chinese text may quote a Japanese name. */
const KANA_SHARE = 0.1;

/**
 * Returns one of {@linkcode LANGUAGE_CODES} by the main script of `text`. `en` stands for all languages in Latin letters.
 */
export function languageOf(text: string): number {
  let latin = 0, han = 0, kana = 0, hangul = 0;
  const step = Math.max(1, Math.floor(text.length / SAMPLE));
  for (let i = 0; i < text.length; i += step) {
    const unit = text.charCodeAt(i);
    if (unit < 0x250) {
      const lower = unit | 0x20;
      if (lower >= 0x61 && lower <= 0x7a || unit >= 0xc0) latin++;
    } else if (unit >= 0x3400 && unit <= 0x9fff) han++;
    else if (unit >= 0x3041 && unit <= 0x30ff) kana++;
    else if (unit >= 0xac00 && unit <= 0xd7a3) hangul++;
  }
  const wide = han + kana + hangul;
  if (wide * HAN_LETTERS < latin) return LANGUAGE_CODES.en;
  if (wide === 0) return latin > 0 ? LANGUAGE_CODES.en : LANGUAGE_CODES.other;
  if (hangul > han + kana) return LANGUAGE_CODES.ko;
  return kana > wide * KANA_SHARE ? LANGUAGE_CODES.ja : LANGUAGE_CODES.zh;
}
