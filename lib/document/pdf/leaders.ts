/**
 * Dots that lead to the page number of an entry of a table of contents. Chinese writes an ellipsis with two ……, and formulas
 * have dots as well: a number stands behind. Bounded, for time linear in the text.
 */
export const LEADERS =
  /(?:(?:[.·‧∙] ?){5,300}|…{3,300}|⋯{3,300})(?=\s*[\d０-９IVXLCivxlc][\d０-９IVXLCivxlc.-]{0,7}(?:[\s（]|$))/;
