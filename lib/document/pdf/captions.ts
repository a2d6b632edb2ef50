const CAPTION =
  /^(?:(?:[Ff]ig(?:ure|\.)?|FIG(?:URE|\.)?|[Tt]able|TABLE|[Tt]ab\.|[Ll]isting|[Aa]lgorithm|[Ss]cheme|[Cc]hart|[Bb]ox|[Aa]bb\.)\s*(?:\d|[A-Z]?[.\d]|[A-Z]\b|[IVX]+\b)|(?:图|表|圖|附图)\s*[\d一二三四五六七八九十A-Z])/;

/** Returns whether a text is the caption of a figure or table. */
export function isCaption(text: string): boolean {
  return CAPTION.test(text);
}
