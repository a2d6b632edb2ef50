/**
 * Number of checks. An attacker who guesses which condition is checked next succeeds once in 10⁹ tries. With 20 checks it is
 * once in 10⁶, and a folder that was exchanged without a pause did succeed once in 570,000 tries, which take a minute.
 */
const CHECKS = 30;

/**
 * Whether two conditions hold at the same time, even if another process changes the files in between. That process could
 * show one state to one check and another state to the other. Deno has no `openat`, which would check both at once. So the
 * next check is chosen at random, and the other process would have to guess right each time. Throws what the checks throw.
 */
export function holdAtOnce(one: () => boolean, other: () => boolean): boolean {
  for (const chance of crypto.getRandomValues(new Uint8Array(CHECKS))) {
    if (!(chance & 1 ? one() : other())) return false;
  }
  // One of them may never have been chosen.
  return one() && other();
}
