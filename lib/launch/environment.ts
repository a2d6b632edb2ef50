/** Variables that commands read: folders, language, terminal. None of them holds secrets. */
const WANTED =
  /^(?:HOME|USERPROFILE|APPDATA|LOCALAPPDATA|XDG_\w+|TERM|NO_COLOR|FORCE_COLOR|COLORTERM|LANG|LC_\w+)$/;
const OURS = /^MUXUE_RAG_(?:STATE_DIR|CONFIG_DIR|LANGUAGE|CONFIG)$/;

/** The variables that a locked worker gets. The rest was used when the configuration was loaded. */
export function environmentFor(
  env: Readonly<Record<string, string | undefined>>,
): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(env).filter(([name]) => WANTED.test(name) || OURS.test(name)));
}
