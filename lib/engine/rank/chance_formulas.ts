/**
 * The formulas for the chance of a hit, written by `research/calibrate_degrees.ts --fit`; see RANKING.md, "Match degree".
 */
import type { Formula } from "./types.ts";

/** The first whose signs are all known is used. */
export const FORMULAS: readonly Formula[] = [
  {
    foreign: true,
    constant: -6.18,
    weights: [["near", 4.09], ["translated", 2.62], ["sure", 0.76], ["sentence", 5.41], ["lead", 5.21]],
  },
  {
    foreign: true,
    constant: -5.26,
    weights: [["near", 4.91], ["translated", 4.84], ["sure", 1.86]],
  },
  {
    foreign: false,
    constant: -7.2,
    weights: [["held", 1.99], ["near", 5.49], ["sentence", 2.7], ["lead", 5.89], ["outlier", 2.08]],
  },
  {
    foreign: false,
    constant: -7.08,
    weights: [["held", 1.67], ["near", 5.61], ["sentence", 3.72], ["lead", 5.91]],
  },
  {
    foreign: false,
    constant: -7.59,
    weights: [["held", 2.87], ["near", 7.63], ["outlier", 5.03]],
  },
  {
    foreign: false,
    constant: -6.49,
    weights: [["near", 11.1]],
  },
  {
    foreign: false,
    constant: -4.89,
    weights: [["held", 5.85], ["lead", 5.29]],
  },
  {
    foreign: false,
    constant: -4.95,
    weights: [["held", 7.68]],
  },
];
