/** Dots that lead to the page number of an entry of a table of contents. */
export const LEADERS = /(?:[.·‧∙](?: ?)){5,}|…{2,}|⋯{3,}|_{3,}(?=\s*\d+$)/;
