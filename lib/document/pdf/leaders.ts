/**
 * Matches the dots before a page number in a table of contents. A number must follow, since Chinese writes an ellipsis as
 * two ……, and formulas contain dots. The repetition is bounded, so that matching takes linear time.
 */
export const LEADERS =
  /(?:(?:[.·‧∙] ?){5,300}|…{3,300}|⋯{3,300})(?=\s*[\d０-９IVXLCivxlc][\d０-９IVXLCivxlc.-]{0,7}(?:[\s（]|$))/;
