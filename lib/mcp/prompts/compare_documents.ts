import { message } from "../../messages.ts";
import type { Prompt } from "./prompt.ts";

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
