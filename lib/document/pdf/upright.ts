/** An affine transformation as in PDF: x' = a·x + c·y + e, y' = b·x + d·y + f. */
export type Matrix = readonly [number, number, number, number, number, number];

/** Returns the transformation that applies `inner`, then `outer`. */
export function combine(outer: Matrix, inner: Matrix): Matrix {
  const [a, b, c, d, e, f] = outer;
  const [g, h, i, j, k, l] = inner;
  return [a * g + c * h, b * g + d * h, a * i + c * j, b * i + d * j, a * k + c * l + e, b * k + d * l + f];
}

export function apply([a, b, c, d, e, f]: Matrix, x: number, y: number): [number, number] {
  return [a * x + c * y + e, b * x + d * y + f];
}

/** Returns the direction of text in clockwise quarter turns, on a page where y grows downwards. Other angles are rounded. */
export function quarterTurns([a, b]: Matrix): 0 | 1 | 2 | 3 {
  return ((Math.round(Math.atan2(b, a) / (Math.PI / 2)) + 4) % 4) as 0 | 1 | 2 | 3;
}

/** Returns the transformation that makes text with so many quarter turns upright. Positions may become negative. */
export function uprightMatrix(turns: 0 | 1 | 2 | 3): Matrix {
  const turn: Record<number, Matrix> = {
    0: [1, 0, 0, 1, 0, 0],
    1: [0, -1, 1, 0, 0, 0],
    2: [-1, 0, 0, -1, 0, 0],
    3: [0, 1, -1, 0, 0, 0],
  };
  return turn[turns]!;
}
