/** Languages of the messages people read. */
export type Language = "zh" | "en";

/** Texts by name, Chinese and English side by side. `{name}` stands for a parameter. */
export type Texts = Record<string, Record<Language, string>>;
