import { message } from "../../messages.ts";
import type { Prompt } from "./prompt.ts";

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
