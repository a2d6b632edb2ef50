/** Dots that lead to the page number of an entry of a table of contents. Chinese writes an ellipsis with two ……. */
export const LEADERS = /(?:[.·‧∙](?: ?)){5,}|…{4,}|⋯{4,}|_{3,}(?=\s*\d+$)/;
