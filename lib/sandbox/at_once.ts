/**
 * Questions asked: who answers each by a guess is found out but once in 10⁹. With 20, once in 10⁶, a folder exchanged without
 * a pause won once in 570,000 tries, which are a minute's work.
 */
const QUESTIONS = 30;

/**
 * Whether two things hold at one and the same time, whoever may change at any moment what is asked about: he would show one
 * state to one question and another to the other. The system cannot be asked both at once (Deno has no `openat`), so which
 * of the two is asked next is left to chance: he would have to foresee it every time. Throws what the questions throw.
 */
export function holdAtOnce(one: () => boolean, other: () => boolean): boolean {
  for (const chance of crypto.getRandomValues(new Uint8Array(QUESTIONS))) {
    if (!(chance & 1 ? one() : other())) return false;
  }
  // by chance one of them may not have come up
  return one() && other();
}
