import type { Config } from "../config/mod.ts";
import { message, type MessageKey, type MessageParams, suggestedCommand } from "../messages.ts";
import { isReal } from "../sandbox/mod.ts";
import type { Found } from "./answer.ts";
import type { NeuralAnswer } from "./neural/neural_search.ts";
import type { NewerFiles } from "./newer_files.ts";
import type { Below } from "./scope.ts";
import type { SearchedFolder } from "./searched_folders.ts";
import type { ServedFolder } from "./served_folder.ts";
import type { Suggestion } from "./suggest_words.ts";
import { UnreadNotices } from "./unread_notices.ts";

/** Results of a search that notices are about. */
export interface NoticeFacts {
  readonly found: Found;
  /** The folders asked, and those of them that were searched. */
  readonly asked: readonly ServedFolder[];
  readonly searched: readonly SearchedFolder[];
  readonly suggestions: readonly Suggestion[];
  readonly below: Below;
  /** Paths of the hits whose files have changed. */
  readonly outdated: readonly string[];
  readonly newer: NewerFiles;
  /** Folders that were indexed since the start. */
  readonly added: readonly string[];
  /** The answer of the neural models to the question; absent without such models. */
  readonly neural: NeuralAnswer | undefined;
}

/** The neural models of a library. */
interface ModelFacts {
  /** Whether the model is on a server. */
  readonly isServer: boolean;
  /** Whether this process makes the vectors in the background. */
  readonly makesVectors: boolean;
}

/** Makes the notices of an answer, in the language of the user. */
export class SearchNotices {
  readonly #language: Config["language"];
  readonly #models: ModelFacts;
  readonly #unread: UnreadNotices;

  constructor(language: Config["language"], models: ModelFacts) {
    this.#language = language;
    this.#models = models;
    this.#unread = new UnreadNotices(language);
  }

  async of(
    { asked, searched, suggestions, outdated, newer, added, neural, ...facts }: NoticeFacts,
  ): Promise<string[]> {
    return [
      ...await this.#notSearched(asked.filter((folder) => searched.every((one) => one.folder !== folder))),
      ...suggestions.map(({ word, suggestion }) => this.#say("word_not_found", { word, suggestion })),
      ...this.#aboutHits({ ...facts, searched }),
      ...(added.length > 0 ? [this.#say("folders_added", { path: added.join(", ") })] : []),
      ...(outdated.length > 0 ? [this.#say("hits_outdated", { path: outdated.join(", ") })] : []),
      ...this.#newerFiles(newer),
      ...this.#aboutModels(searched, neural),
    ];
  }

  async #notSearched(folders: readonly ServedFolder[]): Promise<string[]> {
    return await Promise.all(folders.map(async ({ problem, isElsewhere, root }) => {
      if (!await isReal(root)) return this.#say("folder_gone", { path: root });
      const unusable = isElsewhere ? "folder_index_elsewhere" : "folder_index_unusable";
      return this.#say(problem === undefined ? "folder_without_index" : unusable, { path: root });
    }));
  }

  #aboutHits({ found, searched, below }: Pick<NoticeFacts, "found" | "searched" | "below">): string[] {
    const { hits, capped, filteredOut, lostPhrases, rerankProblem: problem } = found;
    const isWeak = !filteredOut && hits.every(({ degree }) => degree === "low");
    const phrases = lostPhrases.map((phrase) => `“${phrase}”`).join(" ");
    return [
      ...(problem === undefined
        ? []
        : [this.#say("hits_not_reranked", { problem: this.#say(problem.key, problem.params) })]),
      ...(filteredOut ? [this.#say("filters_pass_nothing")] : []),
      ...(lostPhrases.length > 0 ? [this.#say("phrase_not_found", { phrases })] : []),
      ...(capped ? [this.#say("answer_capped")] : []),
      ...(isWeak ? this.#unread.of(searched, below) : []),
    ];
  }

  #aboutModels(
    searched: readonly SearchedFolder[],
    { share = 1, problem }: Partial<NeuralAnswer> = {},
  ): string[] {
    const { isServer, makesVectors } = this.#models;
    if (problem !== undefined) {
      const text = message(this.#language, problem.key, problem.params);
      return [this.#say(isServer ? "hybrid_without_server" : "hybrid_without_models", { problem: text })];
    }
    if (share >= 1) return [];
    const key = `${isServer ? "server" : "neural"}_share${makesVectors ? "_growing" : ""}` as const;
    const command = suggestedCommand(
      isServer ? "index" : "index --wait",
      searched.map(({ folder }) => folder.root),
    );
    return [this.#say(key, { percent: Math.floor(share * 100), command })];
  }

  #newerFiles({ count, roots, isAll }: NewerFiles): string[] {
    if (count === 0) return [];
    return [this.#say(isAll ? "files_newer" : "files_newer_at_least", { count, path: roots.join(", ") })];
  }

  #say(key: MessageKey, params: MessageParams = {}): string {
    return message(this.#language, key, params);
  }
}
