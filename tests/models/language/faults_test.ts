import { deepEqual, equal } from "node:assert/strict";
import { ANSWER, modelOf, NAMED, outcome, REQUEST } from "./_model.ts";
import { type Fault, LanguageServer, type Speech, SPEECHES } from "./_servers/mod.ts";

/** A long request, of which a server may cut off the beginning. */
const LONG = { ...REQUEST, prompt: "word ".repeat(9000) };

/** Faults that cost time: the server sends nothing more. */
const SILENT: readonly Fault[] = ["hang", "hang in the body", "slow"];

/** Asks a server with a fault for an object. Returns `ok`, with `~` for an estimated usage, or the failure; and the number of requests. */
async function tried(speech: Speech, fault: Fault, always: boolean): Promise<string> {
  await using server = await LanguageServer.start(speech);
  server.retryAfter = "0";
  server.reply = () => ANSWER;
  if (always) server.rule = (asked) => "seen" in asked ? fault : undefined;
  else server.faults.push(fault);
  const model = await modelOf(server, { "timeout_seconds": SILENT.includes(fault) ? 1 : 60 });
  const answered = await outcome(model.object(fault === "silent cut" ? LONG : REQUEST, NAMED));
  if (typeof answered === "string") return `${answered} ${server.requests.length}`;
  deepEqual(answered.value, ANSWER);
  // The runtime may send a request again by itself where a connection is closed.
  if (fault !== "cut") equal(answered.usage.calls, server.requests.length, `${speech} ${fault}`);
  return `ok${answered.usage.isEstimated ? "~" : ""} ${server.requests.length}`;
}

/** The outcome for most servers, and those of others. */
type Row = readonly [usual: string, others?: Partial<Record<Speech, string>>];

/** Tries faults on all servers and compares the outcomes with a table. */
async function compare(table: Readonly<Record<string, Row>>, always: boolean): Promise<void> {
  const found: Record<string, Row> = {};
  await Promise.all(
    Object.entries(table).map(async ([fault, [usual]]) => {
      const said = await Promise.all(SPEECHES.map((speech) => tried(speech, fault as Fault, always)));
      const others: Partial<Record<Speech, string>> = {};
      for (const [i, speech] of SPEECHES.entries()) if (said[i] !== usual) others[speech] = said[i]!;
      found[fault] = Object.keys(others).length === 0 ? [usual] : [usual, others];
    }),
  );
  deepEqual(Object.keys(table).map((fault) => [fault, found[fault]]), Object.entries(table));
}

Deno.test("a fault that passes does no harm where another try can help", async () => {
  await compare({
    "429": ["ok 2"],
    "429 Retry-After": ["ok 2"],
    "500": ["ok 2"],
    "503": ["ok 2"],
    "breakdown": ["ok 2"],
    "cut": ["ok 2"],
    "cut in the body": ["ok 2"],
    "empty text": ["ok 2", { anthropic: "ok~ 2" }],
    "wrong schema": ["ok 2"],
    "half an object": ["ok 2"],
    "prose": ["ok 2"],
  }, false);
});

/** The servers that take any key. */
const NO_KEY: Row[1] = Object.fromEntries(
  ["openai-compatible", "ollama", "lmstudio", "vllm"].map((speech) => [speech, "llm_key_missing 1"]),
);
/** The servers whose models refuse in plain words. */
const NO_REFUSAL: Row[1] = Object.fromEntries(
  ["openai-compatible", "ollama", "deepseek", "lmstudio", "vllm"].map((
    speech,
  ) => [speech, "llm_wrong_form 2"]),
);
/** Anthropic's older models answer by a tool, whose input is an object or nothing of use. */
const TOOL: Row[1] = { anthropic: "ok 2" };

Deno.test("a fault that stays has its name, and is not tried again where that cannot help", async () => {
  await compare({
    "401": ["llm_unauthorized 1", NO_KEY],
    "404 model": ["llm_unknown_model 1"],
    "hang": ["llm_timeout 1"],
    "hang in the body": ["llm_timeout 1"],
    "slow": ["llm_timeout 1"],
    // OpenAI may have the older protocol alone.
    "HTML": ["llm_wrong_address 1", { openai: "llm_wrong_address 2" }],
    "empty body": ["llm_bad_answer 1"],
    "cut JSON": ["llm_bad_answer 1"],
    "100 MB": ["llm_too_large 1"],
    "redirect": ["llm_redirected 1"],
    // A tool without input is an answer in a wrong form, which is asked for again.
    "empty text": ["llm_bad_answer 4", { anthropic: "llm_bad_answer 5" }],
    "invalid UTF-8": ["ok 1", TOOL],
    "wrong schema": ["llm_wrong_form 2"],
    "half an object": ["llm_wrong_form 2"],
    "prose": ["llm_wrong_form 2"],
    "fences": ["ok 1", TOOL],
    "thoughts": ["ok 1", TOOL],
    "single quotes": ["ok 1"],
    "refusal": ["llm_refusal 1", NO_REFUSAL],
    "content filter": ["llm_refusal 1", { ollama: "llm_bad_answer 4" }],
    "length": ["llm_cut_off_answer 1"],
    "silent cut": ["llm_input_cut 1"],
    "no usage": ["ok~ 1", { anthropic: "llm_bad_answer 1" }],
    "zero usage": ["ok~ 1"],
    "huge usage": ["ok~ 1"],
  }, true);
});

Deno.test("an account without credit is named, and not asked about again", async () => {
  // Ollama has no credit.
  for (const speech of SPEECHES.filter((speech) => speech !== "ollama")) {
    equal(await tried(speech, "quota", true), "llm_quota 1", speech);
  }
});

Deno.test("a server that fails twice in two ways is asked a third time, and each request counts", async () => {
  await Promise.all(SPEECHES.map(async (speech) => {
    await using server = await LanguageServer.start(speech);
    server.retryAfter = "0";
    server.reply = () => ANSWER;
    server.faults.push("429 Retry-After", "503");
    const { value, usage } = await (await modelOf(server)).object(REQUEST, NAMED);
    deepEqual([value, usage.calls, server.requests.length], [ANSWER, 3, 3], speech);
  }));
});

Deno.test("a redirect is not followed, so that neither the key nor the text goes to another host", async () => {
  await using elsewhere = await LanguageServer.start("openai-compatible");
  for (const speech of SPEECHES) {
    await using server = await LanguageServer.start(speech);
    server.redirectTo = `${elsewhere.url}/chat/completions`;
    server.rule = () => "redirect";
    const model = await modelOf(server);
    equal(await outcome(model.object(REQUEST, NAMED)), "llm_redirected");
    equal(await outcome(model.text(REQUEST)), "llm_redirected");
  }
  equal(elsewhere.raw.length, 0);
});

Deno.test("an aborted request ends with the reason, in every silence of the server", async () => {
  for (const speech of SPEECHES) {
    for (const fault of SILENT) {
      await using server = await LanguageServer.start(speech);
      server.rule = () => fault;
      const model = await modelOf(server);
      const reason = new Error("enough");
      const { signal, abort } = abortable(reason);
      setTimeout(abort, 30);
      equal(await outcome(model.object({ ...REQUEST, signal }, NAMED)), `${reason}`, `${speech} ${fault}`);
    }
  }
});

function abortable(reason: Error): { readonly signal: AbortSignal; readonly abort: () => void } {
  const controller = new AbortController();
  return { signal: controller.signal, abort: () => controller.abort(reason) };
}

Deno.test("a streamed text with a fault: what is shown, how it ends, and that it is not asked for again then", async () => {
  const text = "Green tea wants eighty degrees, black tea wants ninety-five.";
  const table: Readonly<Record<string, Row>> = {
    "hang": ["nothing, llm_timeout, 1"],
    "hang in the body": ["part, llm_timeout, 1"],
    "cut in the body": ["part, llm_cut_off, 1"],
    "cut JSON": ["part, llm_cut_off, 1", { ollama: "part, llm_bad_answer, 1" }],
    "breakdown": ["part, llm_server_error, 1", { ollama: "part, llm_rejected, 1" }],
    "HTML": ["nothing, llm_wrong_address, 1", { openai: "nothing, llm_wrong_address, 2" }],
    "100 MB": ["other, llm_too_large, 1"],
    "thoughts": ["all, ok, 1"],
    // Some servers have no field for refusals.
    "refusal": [
      "nothing, llm_refusal, 1",
      Object.fromEntries(
        ["openai-compatible", "ollama", "deepseek", "lmstudio", "vllm"].map((
          speech,
        ) => [speech, "other, ok, 1"]),
      ),
    ],
  };
  const found: Record<string, Row> = {};
  await Promise.all(
    Object.entries(table).map(async ([fault, [usual]]) => {
      const said = await Promise.all(SPEECHES.map(async (speech) => {
        await using server = await LanguageServer.start(speech);
        server.reply = () => text;
        server.rule = (asked) => "seen" in asked ? fault as Fault : undefined;
        const isSilent = SILENT.includes(fault as Fault);
        const model = await modelOf(server, { "timeout_seconds": isSilent ? 1 : 60 });
        let shown = "";
        const answered = await outcome(model.text(REQUEST, (part) => shown += part));
        const isPart = shown !== "" && text.startsWith(shown);
        const seen = shown === text ? "all" : isPart ? "part" : shown === "" ? "nothing" : "other";
        return `${seen}, ${typeof answered === "string" ? answered : "ok"}, ${server.requests.length}`;
      }));
      const others: Partial<Record<Speech, string>> = {};
      for (const [i, speech] of SPEECHES.entries()) if (said[i] !== usual) others[speech] = said[i]!;
      found[fault] = Object.keys(others).length === 0 ? [usual] : [usual, others];
    }),
  );
  deepEqual(Object.keys(table).map((fault) => [fault, found[fault]]), Object.entries(table));
});
