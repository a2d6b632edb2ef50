/** Runs one stage of one try in this process. */
import { Buffer } from "node:buffer";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { registryDir } from "#foundation/configuration/mod.ts";
import type { Library, SearchRequest } from "#library/search/mod.ts";
import {
  Arena,
  indexOf,
  type Kind,
  type Outcome,
  overwrite,
  place,
  Program,
  QUESTIONS,
  type Sound,
  type Stage,
  told,
} from "./arena.ts";
import { jsonIn } from "./forged.ts";
import { kindsOf } from "./kinds.ts";
import { partsOf } from "./layout.ts";
import { Random } from "../random.ts";

/** Result of a stage. `detail` describes the deviation. */
export interface Result {
  readonly outcome: Outcome;
  readonly detail?: string;
}

/** The searches in two folders at once. */
const FEW = QUESTIONS.filter((_, i) => i % 5 === 0);

/** Questions, and their answers from the sound indexes. */
interface Asked {
  readonly questions: readonly SearchRequest[];
  readonly sound: readonly string[];
  /** The answers of the other folder alone, which are expected if the damaged one is refused. */
  readonly without?: readonly string[];
}

/** Runs the stages of tries on an arena. */
export class Tries {
  readonly #kinds: ReadonlyMap<string, Kind>;

  private constructor(
    readonly arena: Arena,
    readonly program: Program,
    readonly sound: Sound,
    readonly honest: Asked,
    readonly both: Asked,
  ) {
    this.#kinds = new Map(kindsOf(sound).map((kind) => [kind.name, kind]));
  }

  /** Records the answers of the sound indexes. */
  static async start(path: string): Promise<Tries> {
    const arena = Arena.at(path);
    const program = await Program.start(arena.stateDir);
    const sound = await arena.sound();
    place(indexOf(arena.honest), sound.honest);
    const answers = async (questions: readonly SearchRequest[], ...roots: string[]) => {
      const library = program.open(...roots);
      const texts: string[] = [];
      for (const question of questions) texts.push(told(await library.search(question)));
      library.close();
      return texts;
    };
    const { honest, other } = arena;
    return new Tries(arena, program, sound, {
      questions: QUESTIONS,
      sound: await answers(QUESTIONS, honest),
    }, {
      questions: FEW,
      sound: await answers(FEW, honest, other),
      without: await answers(FEW, other),
    });
  }

  /** Damages the index by the kind `name` and runs one stage. The same seed makes the same damage. */
  async do(name: string, seed: number, stage: Stage): Promise<Result> {
    const kind = this.#kinds.get(name)!;
    try {
      if (stage === "registry") return await this.#registry();
      const random = new Random(seed);
      const { bytes, size } = kind.damage(this.sound, random);
      const { honest, other } = this.arena;
      const path = indexOf(honest);
      if (stage === "search" && kind.inPlace) return await this.#changedUnderneath(bytes, random);
      place(path, bytes, size);
      if (stage === "search") return await this.#ask([honest], random, this.honest);
      if (stage === "other folder") return await this.#ask([honest, other], random, this.both);
      await this.program.index(honest, stage === "full run");
      if (stage === "run after touch") return await this.#touched(random);
      if (this.#isSound(Deno.readFileSync(path))) return { outcome: "same" };
      return await this.#ask([honest], random, this.honest);
    } catch (error) {
      return { outcome: "internal error", detail: textOf(error) };
    }
  }

  /** Returns whether an index has the contents of the sound one. It then gives the same answers, so no searches are needed. */
  #isSound(bytes: Uint8Array): boolean {
    const [found, sound] = [bytes, this.sound.honest].map(partsOf);
    return found!.size === sound!.size &&
      // The time of the run and the modification times may differ.
      [...sound!].every(([name, part]) =>
        name === "meta" || sameBytes(part, found!.get(name)) ||
        name === "files" && isDeepStrictEqual(...[sound!, found!].map(recordsIn) as [unknown, unknown])
      );
  }

  /** Changes the time of every file, so that the run reads it. */
  async #touched(random: Random): Promise<Result> {
    const { honest } = this.arena;
    try {
      this.arena.touch(new Date("2026-02-02"));
      await this.program.index(honest, false);
      return await this.#ask([honest], random, this.honest);
    } finally {
      this.arena.touch();
    }
  }

  async #changedUnderneath(bytes: Uint8Array, random: Random): Promise<Result> {
    const { honest } = this.arena;
    place(indexOf(honest), this.sound.honest);
    const library = this.program.open(honest);
    try {
      // These two load only a part of the index; later searches load the rest.
      await library.search(QUESTIONS[0]!);
      await library.search(QUESTIONS[8]!);
      overwrite(indexOf(honest), bytes);
      return await this.#compare(library, honest, random, this.honest);
    } finally {
      library.close();
    }
  }

  async #ask(roots: string[], random: Random, asked: Asked): Promise<Result> {
    const library = this.program.open(...roots);
    try {
      return await this.#compare(library, roots[0]!, random, asked);
    } finally {
      library.close();
    }
  }

  async #compare(
    library: Library,
    root: string,
    random: Random,
    { questions, sound, without }: Asked,
  ): Promise<Result> {
    let refused = 0;
    // After one search finds the index damaged, all later searches are refused. The order is random, so each search is
    // sometimes first.
    for (const i of random.order(questions.length)) {
      const question = questions[i]!;
      const asked = JSON.stringify(question);
      try {
        const answer = await library.search(question);
        const isRefused = answer.notices.some((notice) => this.program.isRefusal(notice, root));
        const notices = answer.notices.filter((notice) => !this.program.isRefusal(notice, root));
        if (isRefused) refused++;
        const expected = isRefused ? without?.[i] : sound[i];
        const found = told({ ...answer, notices });
        if (found !== expected) {
          return { outcome: "different", detail: `${asked}: ${difference(expected, found)}` };
        }
      } catch (error) {
        // With another folder, every search has an answer.
        if (without !== undefined || !this.program.isRefusal(error, root)) {
          return { outcome: "internal error", detail: `${asked}: ${textOf(error)}` };
        }
        refused++;
      }
    }
    return { outcome: refused > 0 ? "refused" : "same" };
  }

  /** Adds an entry of 3 GB to the registry. The folders must still be found. */
  async #registry(): Promise<Result> {
    const registered = await this.program.registered();
    const path = join(registryDir(this.arena.stateDir), `${"0".repeat(32)}.json`);
    Deno.writeTextFileSync(path, "{");
    Deno.truncateSync(path, 3e9);
    try {
      const found = await this.program.registered();
      return { outcome: JSON.stringify(found) === JSON.stringify(registered) ? "same" : "different" };
    } finally {
      Deno.removeSync(path);
    }
  }
}

/** Returns the file table without the change times that the system sets. */
function recordsIn(parts: ReadonlyMap<string, Uint8Array>): unknown {
  return jsonIn<{ ctimeMs?: number }[]>(parts, "files").map(({ ctimeMs: _, ...rest }) => rest);
}

function sameBytes(a: Uint8Array, b: Uint8Array | undefined): boolean {
  return b !== undefined && Buffer.from(a.buffer, a.byteOffset, a.length).equals(b);
}

function textOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const at = error.stack?.split("\n").find((line) => line.includes("/lib/"))?.trim() ?? "";
  return `${error.name}: ${error.message.slice(0, 200)} ${
    at.replace(/\(?file:.*\/lib\//, "lib/").replace(")", "")
  }`;
}

/** Describes the difference between two answers. */
function difference(expected: string | undefined, found: string): string {
  if (expected === undefined) return "answered, but should have been refused";
  const [before, after] = [JSON.parse(expected), JSON.parse(found)];
  if (JSON.stringify(before.notices) !== JSON.stringify(after.notices)) {
    return `notice ${JSON.stringify(after.notices).slice(0, 200)}`;
  }
  const places = (hits: { chunkId: string }[]) => hits.map(({ chunkId }) => chunkId);
  const [old, fresh] = [places(before.hits), places(after.hits)];
  const lost = old.filter((id) => !fresh.includes(id)).length;
  const more = fresh.filter((id) => !old.includes(id)).length;
  if (lost + more > 0) return `${lost} hits lost, ${more} others instead`;
  return old.join() === fresh.join()
    ? "the same hits with other scores or texts"
    : "the hits in another order";
}
