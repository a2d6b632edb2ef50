/** What commands look at: places, languages, terminals. Not what holds secrets. */
const WANTED =
  /^(?:HOME|USERPROFILE|APPDATA|LOCALAPPDATA|XDG_\w+|TERM|NO_COLOR|FORCE_COLOR|COLORTERM|LANG|LC_\w+)$/;
const OURS = /^MUXUE_RAG_(?:STATE_DIR|CONFIG_DIR|LANGUAGE|CONFIG)$/;

/** The part of an environment that a locked worker is given: the configuration has taken what it needs of the rest. */
export function environmentFor(
  env: Readonly<Record<string, string | undefined>>,
): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(env).filter(([name]) => WANTED.test(name) || OURS.test(name)));
}
