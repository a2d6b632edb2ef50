/**
 * A language model on a server that the user configured. Answers in a form come by a ladder: the server holds the model to the schema,
 * or to JSON, or the model is only asked for it and its text is read with patience. One repair is tried.
 */
import * as z from "zod";
import {
  type Config,
  isLoopbackHost,
  type LlmProvider,
  serverAddress,
} from "#foundation/configuration/mod.ts";
import {
  guardedFetch,
  keepFromProxy,
  type RemoteServer,
  remoteServer,
  ServerFailure,
  serverWords,
} from "#models/remote/mod.ts";
import { knownWindow, PRESETS } from "./presets.ts";
import { failureIn, type Reply, Requests } from "./requests.ts";
import { objectsIn } from "./tolerant_json.ts";
import {
  type Answered,
  type Budget,
  LanguageFailure,
  type LanguageModel,
  type ModelRequest,
  NO_USAGE,
  type Rung,
  sumOfUsage,
  type Usage,
} from "./types.ts";
import { askWindow, Window } from "./window.ts";

/** The settings of a language model. */
export type ModelSettings = Config["vision_llm"];

/** Bytes of the largest answer: no model answers with more text. */
const MAX_BYTES = 4 * 1024 * 1024;
/** UTF-16 units of a wrong answer that the model gets back. */
const SHOWN_BACK = 4000;
/** A server refuses a form, in its own words. */
const FORM_REFUSED =
  /response_?format|json_schema|json_object|structured|grammar|schema|\bformat\b|output_config/i;
/** Kinds of failures with which servers refuse a form that they do not know. */
const REFUSING: ReadonlySet<string> = new Set(["rejected", "server_error", "too_long"]);

/** Opens the language model of a section of the configuration. Sends nothing. */
export class SdkLanguageModel implements LanguageModel {
  readonly id: string;
  readonly origin: string;
  readonly isLocal: boolean;
  readonly contextTokens: number;
  readonly parameters: string;
  readonly concurrency: number;
  readonly #server: RemoteServer;
  readonly #requests: Requests;
  readonly #rungs: readonly Rung[];
  /** The place in {@linkcode #rungs} of the best way that this server takes, as far as is known. */
  #rung = 0;
  #last: Rung | undefined;

  constructor(settings: ModelSettings, section: "llm" | "vision_llm", budget: Budget | undefined) {
    const { provider, model, output, temperature, concurrency, context_tokens: contextTokens } = settings;
    if (provider === "none") throw new TypeError(`${section}.provider is none`);
    const server = remoteServer(
      { ...settings, "base_url": serverAddress(settings) ?? null },
      (kind, params, options) => new LanguageFailure(kind, { ...params, section }, options),
    );
    const send = guardedFetch(server, { maxBytes: MAX_BYTES, streams: true });
    const { origin, hostname } = new URL(server.baseUrl);
    this.id = `${provider}/${model ?? ""}`;
    this.origin = origin;
    this.isLocal = isLoopbackHost(hostname);
    this.contextTokens = contextTokens === "auto" ? knownWindow(provider, model ?? "") : contextTokens;
    this.parameters = JSON.stringify([temperature, contextTokens, settings.max_output_tokens, output]);
    this.concurrency = concurrency;
    this.#server = server;
    this.#rungs = output === "auto" ? PRESETS[provider].rungs : [output];
    this.#requests = new Requests(
      server,
      send,
      windowOf(provider, settings, this.contextTokens, server, send),
      {
        provider,
        apiVersion: settings.api_version ?? undefined,
        temperature,
        maxOutputTokens: settings.max_output_tokens,
        concurrency,
        budget,
      },
    );
    keepFromProxy(server.baseUrl);
  }

  get rung(): Rung | undefined {
    return this.#last;
  }

  async text(request: ModelRequest, onText?: (part: string) => void): Promise<Answered<string>> {
    const { text, usage, cutAt } = await this.#requests.reply(request, onText ?? (() => {}));
    return { value: cutAt === undefined ? text : `${text}…`, usage };
  }

  async object<Value>(request: ModelRequest, schema: z.ZodType<Value>): Promise<Answered<Value>> {
    const json = jsonSchema(schema);
    const first = await this.#ask(request, json, this.#rung);
    const read = readAs(first.reply.text, schema);
    if ("value" in read) return { value: read.value as Value, usage: first.reply.usage };
    const { cutAt, text } = first.reply;
    if (cutAt !== undefined) throw failureIn(this.#server, "cut_off_answer", { limit: cutAt });

    // A server may take the form and not care for it. The next way down shows the schema to the model.
    const second = await this.#ask(
      { ...request, turns: [text.slice(0, SHOWN_BACK), objection(read.problem)] },
      json,
      Math.min(first.rung + 1, this.#rungs.length - 1),
    );
    const usage = sumOfUsage(first.reply.usage, second.reply.usage);
    const repaired = readAs(second.reply.text, schema);
    if ("value" in repaired) return { value: repaired.value as Value, usage };
    const words = serverWords(repaired.problem, this.#server.secrets);
    throw failureIn(this.#server, "wrong_form", { words });
  }

  /** Asks in the best way from a place of the ladder on that the server takes, and remembers it. */
  async #ask(
    request: ModelRequest & { readonly turns?: readonly [string, string] },
    schema: object,
    from: number,
  ): Promise<{ readonly reply: Reply; readonly rung: number }> {
    let refused: ServerFailure | undefined;
    let failed: Usage = NO_USAGE;
    for (let rung = from;; rung++) {
      try {
        const reply = await this.#requests.reply(inForm(request, schema, this.#rungs[rung]!));
        if (refused !== undefined) this.#rung = Math.max(this.#rung, rung);
        this.#last = this.#rungs[rung];
        return { reply: { ...reply, usage: sumOfUsage(failed, reply.usage) }, rung };
      } catch (error) {
        const isLast = rung >= this.#rungs.length - 1;
        if (!(error instanceof ServerFailure) || isLast || !isRefusedForm(error)) {
          throw error instanceof ServerFailure && refused !== undefined && error.kind === "rejected"
            ? refused
            : error;
        }
        failed = sumOfUsage(failed, { ...NO_USAGE, calls: 1 });
        refused ??= error;
      }
    }
  }
}

function windowOf(
  provider: LlmProvider,
  { context_tokens: tokens }: ModelSettings,
  assumed: number,
  server: RemoteServer,
  send: ReturnType<typeof guardedFetch>,
): Window {
  const isKnown = tokens !== "auto";
  return new Window(
    assumed,
    async (signal) => isKnown ? undefined : await askWindow(provider, server, send, signal),
  );
}

function isRefusedForm({ kind, params }: ServerFailure): boolean {
  if (kind === "rejected") return true;
  return REFUSING.has(kind) && FORM_REFUSED.test(String(params["words"] ?? ""));
}

/** Returns the request in one way of the ladder. DeepSeek and others want the word "json" in it. */
function inForm(request: ModelRequest, schema: object, rung: Rung) {
  if (rung === "json_schema") {
    return { ...request, responseFormat: { type: "json" as const, name: request.task, schema } };
  }
  const instructions = [
    request.instructions,
    `Answer with one JSON object and nothing else. It must follow this JSON schema (json): ${
      JSON.stringify(schema)
    }`,
  ].join("\n\n");
  return {
    ...request,
    instructions,
    ...(rung === "json_object" && { responseFormat: { type: "json" as const } }),
  };
}

function objection(problem: string): string {
  return `This answer cannot be used: ${problem}\nAnswer again, with the corrected JSON object and nothing else.`;
}

/** Returns the JSON schema of an answer, in the form of which servers take most: OpenAI and Azure refuse objects that are open. */
function jsonSchema(schema: z.ZodType): object {
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    target: "draft-7",
    io: "input",
    unrepresentable: "any",
    override: ({ jsonSchema }) => {
      if (jsonSchema.properties !== undefined) jsonSchema.additionalProperties ??= false;
    },
  });
  return json;
}

/** Returns the value in an answer, or the reason why there is none. */
function readAs<Value>(
  answer: string,
  schema: z.ZodType<Value>,
): { readonly value: Value } | { readonly problem: string } {
  let problem: string | undefined;
  for (const found of objectsIn(answer)) {
    const { success, data, error } = schema.safeParse(found);
    if (success) return { value: data };
    problem ??= error.issues.slice(0, 5).map(({ path, message }) =>
      `${path.join(".") || "(root)"}: ${message}`
    ).join("; ");
  }
  return { problem: problem ?? "no JSON object in it" };
}
