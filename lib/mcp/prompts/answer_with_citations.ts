import { message } from "../../messages.ts";
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
