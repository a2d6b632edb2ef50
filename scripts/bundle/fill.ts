/** Texts for the placeholders of a template, by name. */
export type Values = Readonly<Record<string, string>>;

/** Thrown for a placeholder that has no value. */
export class MissingValue extends Error {
  override readonly name = "MissingValue";

  constructor(readonly placeholder: string) {
    super(`No value for {{${placeholder}}}`);
  }
}

/** Replaces each `{{name}}` by its value. Throws {@linkcode MissingValue}. */
export function fill(template: string, values: Values): string {
  return template.replace(/\{\{([^{}]+)\}\}/g, (_, name: string) => {
    if (!Object.hasOwn(values, name)) throw new MissingValue(name);
    return values[name]!;
  });
}
