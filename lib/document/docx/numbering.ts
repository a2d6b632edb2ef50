import { countAs } from "../writer/list_numbers.ts";
import { child, children, type XmlElement } from "../xml/mod.ts";
import type { ListReference } from "./styles.ts";

interface Level {
  readonly format: string;
  /** Text of the label. `%1.%2` stands for the numbers of the first two levels. */
  readonly text: string;
  readonly start: number;
  /**
   * A new number of this level (counted from 1) restarts the numbers; 0 if they never restart. Default: every outer level
   * restarts them.
   */
  readonly restart?: number;
}

interface List {
  /** Lists with the same definition continue each other's numbers. */
  readonly definition: string;
  readonly levels: ReadonlyMap<number, Level>;
  /** Start numbers of the levels that restart when the list is first used. */
  readonly starts: ReadonlyMap<number, number>;
}

/** The label of a paragraph in a list. */
export interface Mark {
  /** The number shown, `2.` or `第三章`. Empty for a bullet. */
  readonly label: string;
  readonly level: number;
}

const DEEPEST = 8;

/** Counts the paragraphs of lists as Word does. They must come in document order. */
export class Numbering {
  readonly #lists = new Map<string, List>();
  readonly #counts = new Map<string, number[]>();
  readonly #used = new Set<string>();

  constructor(root: XmlElement | undefined) {
    const definitions = new Map<string, XmlElement>();
    const styled = new Map<string, string>();
    for (const definition of children(root, "w:abstractNum")) {
      const id = definition.attributes["w:abstractNumId"] ?? "";
      definitions.set(id, definition);
      const style = child(definition, "w:styleLink")?.attributes["w:val"];
      if (style !== undefined) styled.set(style, id);
    }
    for (const list of children(root, "w:num")) {
      let definition = child(list, "w:abstractNumId")?.attributes["w:val"] ?? "";
      // A definition can refer to that of a list style. Only one step is followed: that definition has levels.
      const link = child(definitions.get(definition), "w:numStyleLink")?.attributes["w:val"];
      if (link !== undefined) definition = styled.get(link) ?? definition;
      this.#lists.set(
        list.attributes["w:numId"] ?? "",
        readList(list, definition, definitions.get(definition)),
      );
    }
  }

  /** Counts a paragraph. Returns `undefined` if it is in no list, or on a level with neither number nor bullet. */
  next({ list: id, level: wanted }: ListReference): Mark | undefined {
    const list = this.#lists.get(id);
    if (list === undefined) return undefined;
    const level = Math.max(0, Math.min(DEEPEST, Number.isInteger(wanted) ? wanted : 0));
    const format = list.levels.get(level);
    if (format === undefined) return undefined;
    const counts = this.#counts.get(list.definition) ?? [];
    this.#counts.set(list.definition, counts);
    if (!this.#used.has(id)) {
      this.#used.add(id);
      for (const [at, start] of list.starts) counts[at] = start - 1;
    }
    counts[level] = (counts[level] ?? format.start - 1) + 1;
    for (let inner = level + 1; inner <= DEEPEST; inner++) {
      const restart = list.levels.get(inner)?.restart;
      if (restart === undefined || (restart > 0 && level < restart)) delete counts[inner];
    }
    if (format.format === "bullet") return { label: "", level };
    const label = format.text.replace(/%([1-9])/g, (_, digit: string) => {
      const at = Number(digit) - 1;
      const one = list.levels.get(at);
      return countAs(counts[at] ?? one?.start ?? 1, one?.format ?? "decimal");
    }).trim();
    return label === "" || format.format === "none" && !/\p{L}|\p{N}/u.test(label)
      ? undefined
      : { label, level };
  }
}

function readList(list: XmlElement, definition: string, base: XmlElement | undefined): List {
  const levels = new Map<number, Level>();
  const starts = new Map<number, number>();
  for (const level of children(base, "w:lvl")) {
    levels.set(Number(level.attributes["w:ilvl"]), readLevel(level));
  }
  for (const override of children(list, "w:lvlOverride")) {
    const at = Number(override.attributes["w:ilvl"]);
    const own = child(override, "w:lvl");
    if (own !== undefined) levels.set(at, readLevel(own));
    const start = child(override, "w:startOverride")?.attributes["w:val"];
    if (start !== undefined) starts.set(at, Number(start));
  }
  return { definition, levels, starts };
}

function readLevel(level: XmlElement): Level {
  const value = (name: string) => child(level, name)?.attributes["w:val"];
  // Number formats that Word 2010 added are in an `mc:AlternateContent` element.
  const format = value("w:numFmt") ??
    child(level, "mc:AlternateContent", "mc:Fallback", "w:numFmt")?.attributes["w:val"] ?? "decimal";
  const start = Number(value("w:start") ?? 1);
  const restart = value("w:lvlRestart");
  return {
    format,
    text: (value("w:lvlText") ?? "").slice(0, 50),
    start: Number.isInteger(start) ? start : 1,
    ...(restart === undefined ? {} : { restart: Number(restart) }),
  };
}
