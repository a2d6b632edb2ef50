/**
 * The prompts that the server offers.
 */
import { message } from "#foundation/messages/mod.ts";
import type { Prompt } from "./prompt.ts";

/** Answers a question from the files. */
export const answerWithCitations: Prompt = {
  name: "answer_with_citations",
  title: "prompt_answer_title",
  description: "prompt_answer_about",
  arguments: [
    { name: "question", description: "prompt_arg_question", required: true },
    { name: "collection", description: "prompt_arg_collection", completion: "folders" },
  ],
  text({ question = "", collection }, { language, tools: { search, read } }) {
    const scope = collection ?? message(language, "prompt_all_folders");
    return message(language, "prompt_answer_text", { question, scope, search, read });
  },
};

/** Compares two documents. */
export const compareDocuments: Prompt = {
  name: "compare_documents",
  title: "prompt_compare_title",
  description: "prompt_compare_about",
  arguments: [
    { name: "first", description: "prompt_arg_first", required: true, completion: "paths" },
    { name: "second", description: "prompt_arg_second", required: true, completion: "paths" },
    { name: "focus", description: "prompt_arg_focus" },
  ],
  text({ first = "", second = "", focus }, { language, tools: { read } }) {
    return message(language, "prompt_compare_text", {
      first,
      second,
      focus: focus ?? message(language, "prompt_compare_focus"),
      read,
    });
  },
};

/** Summarises the documents of a folder. */
export const summariseFolder: Prompt = {
  name: "summarise_folder",
  title: "prompt_summarise_title",
  description: "prompt_summarise_about",
  arguments: [
    { name: "folder", description: "prompt_arg_folder", required: true, completion: "folders" },
    { name: "focus", description: "prompt_arg_focus" },
  ],
  text({ folder = "", focus }, { language, tools: { search, read, list } }) {
    return message(language, "prompt_summarise_text", {
      folder,
      focus: focus ?? message(language, "prompt_compare_focus"),
      ...{ search, read, list },
    });
  },
};
