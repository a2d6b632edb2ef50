import { posix } from "node:path";
import { visitImports } from "./imports.ts";
import { programFile } from "./_program_file.ts";

/**
 * The houses of `lib/` in the order in which data flows, each with its rooms in the same order. A house knows only the houses
 * before it, and a room only the rooms before it.
 */
const HOUSES: Readonly<Record<string, readonly string[]>> = {
  foundation: ["messages", "boundary", "configuration"],
  documents: [],
  models: ["remote", "language", "neural", "install", "embedding", "rerank"],
  traces: ["export"],
  engine: ["chunk", "index", "joined", "query", "rank", "orama", "support"],
  library: [
    "corpus",
    "extract",
    "archives",
    "store",
    "generate",
    "ingest",
    "search",
    "people",
    "evaluate",
    "answer",
    "ask",
  ],
  server: [],
  pages: [],
  program: [],
};

/** Houses of which each file beside `mod.ts` is a public face: small modules that the rooms of all houses share. */
const OPEN: readonly string[] = ["foundation", "engine"];

/** Further faces of rooms: parts that a start of the server needs without the rest, or does without. */
const FACES: Readonly<Record<string, readonly string[]>> = {
  documents: ["errors.ts"],
  "foundation/messages": ["start.ts"],
  "foundation/boundary": ["held_files.ts", "http_listener.ts", "show.ts", "user_file.ts"],
  "engine/index": ["remote/mod.ts"],
  "foundation/configuration": ["database_address.ts"],
  "library/ingest": ["generation/mod.ts"],
  "library/store": ["postgres/mod.ts"],
  "library/search": ["model_rewriter.ts", "served_collections.ts"],
  server: ["first_answer.ts", "http/exchange.ts"],
};

/** Rooms that know no files on disk and no settings import no room that does. */
const CLOSED: Readonly<Record<string, readonly string[]>> = {
  documents: ["foundation/boundary", "foundation/configuration"],
  engine: ["foundation/boundary", "foundation/configuration"],
};

/**
 * Lint rule: a file of `lib/` imports only from the houses and rooms before its own in {@linkcode HOUSES}, by their names in
 * the import map, and only their public faces: `#HOUSE/mod.ts`, `#HOUSE/ROOM/mod.ts`, `types.ts` for types and constants
 * without the code, or one of {@linkcode FACES}. Packages are imported by their name in the import map. Computed dynamic imports are refused: in an
 * executable they escape Deno's permissions.
 */
export const importDirection: Deno.lint.Rule = {
  create(context) {
    const file = programFile(context.filename);
    if (file === undefined) return {};
    return visitImports(({ node, specifier }) => {
      const problem = problemOf(file, specifier);
      if (problem !== undefined) context.report({ node, message: problem });
    });
  },
};

function problemOf(file: string, specifier: string | undefined): string | undefined {
  if (specifier === undefined) return "The specifier of a dynamic import must be a literal";
  if (/^(npm|jsr|https?|file|data):/.test(specifier) || specifier.startsWith("/")) {
    return `${specifier} must be named in the import map of deno.json`;
  }
  if (specifier.startsWith("#")) return directionProblem(file, `lib/${specifier.slice(1)}`);
  if (!specifier.startsWith(".") || !specifier.endsWith(".ts")) return undefined;
  const target = posix.normalize(posix.join(posix.dirname(file), specifier));
  const [from, to] = [placeOf(file), placeOf(target)];
  if (from === undefined || to === undefined) return unknownPlace(from === undefined ? file : target);
  return from.name === to.name ? undefined : `import ${to.name} by its name: #${target.slice("lib/".length)}`;
}

/** The room of a file, or its house if that has no rooms. */
interface Place {
  readonly house: string;
  /** `HOUSE/ROOM`, or `HOUSE`. */
  readonly name: string;
  /** Its path in the room. */
  readonly inside: string;
}

/** Returns where a file of `lib/` stands, or `undefined` if no house or room is known by that name. */
function placeOf(file: string): Place | undefined {
  const [lib, house = "", ...rest] = file.split("/");
  if (lib !== "lib") return { house: "main", name: "main", inside: "" };
  const rooms = HOUSES[house];
  if (rooms === undefined) return undefined;
  if (rooms.length === 0 || rest.length === 1) return { house, name: house, inside: rest.join("/") };
  const [room = "", ...path] = rest;
  return rooms.includes(room) ? { house, name: `${house}/${room}`, inside: path.join("/") } : undefined;
}

function unknownPlace(file: string): string {
  return `${file} is in no house or room (scripts/lint/import_direction.ts)`;
}

function directionProblem(from: string, to: string): string | undefined {
  const [source, target] = [placeOf(from), placeOf(to)];
  if (source === undefined || target === undefined) return unknownPlace(source === undefined ? from : to);
  if (source.name === target.name && source.name !== source.house) {
    return `import ${to} by its path: both are in ${source.name}`;
  }
  const closed = CLOSED[source.house]?.includes(target.name);
  if (closed || !isBefore(target, source)) return `${source.name} may not import ${target.name}`;
  const isFace = ["mod.ts", "types.ts", ...FACES[target.name] ?? []].includes(target.inside) ||
    OPEN.includes(target.house) && target.name === target.house;
  return isFace ? undefined : `${to} is inside ${target.name}: import #${target.name}/mod.ts`;
}

/** Whether a place comes before another. The files beside the rooms of a house come in no order. */
function isBefore(place: Place, other: Place): boolean {
  const houses = [...Object.keys(HOUSES), "main"];
  if (place.house !== other.house) return houses.indexOf(place.house) < houses.indexOf(other.house);
  const rooms = HOUSES[place.house] ?? [];
  const [at, from] = [place, other].map(({ name }) => rooms.indexOf(name.slice(place.house.length + 1)));
  return at === -1 || from === -1 || at! < from!;
}
