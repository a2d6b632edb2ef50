/** The machine has no right or program that a condition needs. */
export class Untried extends Error {
  override readonly name = "Untried";
}
