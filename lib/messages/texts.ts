/** Languages of the messages. */
export type Language = "zh" | "en";

/** Texts by key, in Chinese and English. `{name}` is a parameter; `{name|one|several}` chooses a word by its number. */
export type Texts = Record<string, Record<Language, string>>;
