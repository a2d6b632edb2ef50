import * as z from "zod";
import { chunkContextAnswer } from "../../answer/mod.ts";
import { answerLimit, argument, defineTool, MAX_TOKENS, READ_TOKENS } from "../tool.ts";

/** Neighbours on each side, unless the call says otherwise, and at most. */
const NEIGHBOURS = 1;
const MOST = 50;

/** A chunk of a search's answer with the chunks before and after it. */
export const getChunkContext = defineTool({
  name: "get_chunk_context",
  isDefault: true,
  input: {
    "chunk_id": argument(z.string().min(1), "arg_chunk_id"),
    before: argument(z.int().min(0).max(MOST).optional(), "arg_chunks_before"),
    after: argument(z.int().min(0).max(MOST).optional(), "arg_chunks_after"),
    ...MAX_TOKENS,
  },
  output: z.looseObject({ content: z.string() }),
  async run({ chunk_id: id, before = NEIGHBOURS, after = NEIGHBOURS, max_tokens: asked }, call, signal) {
    const { library, language } = call;
    const context = await (await library.catalog()).chunkContext(id.trim(), before, after, signal);
    return chunkContextAnswer(context, language, answerLimit(call, asked, READ_TOKENS));
  },
});
