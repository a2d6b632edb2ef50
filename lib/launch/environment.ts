/** Variables that commands read: folders, language, terminal. None of them holds secrets. */
const WANTED =
  /^(?:HOME|USERPROFILE|APPDATA|LOCALAPPDATA|XDG_\w+|LANG|LC_\w+|TERM|NO_COLOR|FORCE_COLOR|COLORTERM)$/;
/** They tell which terminal it is, and so whether it shows links. */
const OF_TERMINALS =
  /^(?:FORCE_HYPERLINK|TERM_PROGRAM(?:_VERSION)?|TMUX|VTE_VERSION|KONSOLE_VERSION|WT_SESSION|KITTY_WINDOW_ID)$/;
const OURS = /^MUXUE_RAG_(?:STATE_DIR|CONFIG_DIR|MODELS_DIR|LANGUAGE|CONFIG)$/;

/** The variables that a locked worker gets. The rest was used when the configuration was loaded. */
export function environmentFor(
  env: Readonly<Record<string, string | undefined>>,
): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.entries(env).filter(([name]) => [WANTED, OF_TERMINALS, OURS].some((names) => names.test(name))),
  );
}
