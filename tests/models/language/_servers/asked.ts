/**
 * A request to a language model as the servers understand it, whatever its protocol, and what a model answers.
 */

/** A request as it arrived. */
export interface Raw {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  // deno-lint-ignore no-explicit-any -- the body of any protocol
  readonly body: any;
}

/** A picture that arrived. */
export interface AskedImage {
  readonly mime: string;
  readonly bytes: Uint8Array;
}

/** A message of a conversation. */
export interface AskedMessage {
  readonly role: string;
  readonly text: string;
  readonly images: readonly AskedImage[];
}

/** The form in which a server was asked for an object; `tool` for Anthropic's older way. */
export type AskedForm = "text" | "json_object" | "json_schema" | "tool";

/** A request as a protocol reads it from the body. */
export interface Decoded {
  readonly api: "chat" | "responses" | "messages" | "ollama";
  readonly model: string;
  readonly messages: readonly AskedMessage[];
  readonly form: AskedForm;
  readonly schema?: unknown;
  readonly stream: boolean;
  readonly maxTokens?: number | undefined;
  readonly temperature?: number | undefined;
  /** Tokens after which this request's prompt is cut without a word. */
  readonly silentLimit?: number | undefined;
}

/** A request for text, decoded. */
export interface Asked extends Raw, Decoded {
  /** The text of all system messages. */
  readonly instructions: string;
  /** The text of all other messages. */
  readonly prompt: string;
  readonly images: readonly AskedImage[];
  /** Instructions and prompt as the model sees them: after a silent cut, only their end. */
  readonly seen: string;
  /** Tokens of {@linkcode Asked.seen} and of the pictures. */
  readonly inputTokens: number;
}

/** The answer of a model before a protocol puts it into its form. */
export interface Answer {
  readonly text: string;
  readonly finish: "stop" | "length" | "refusal" | "content filter";
  /** `null`: the server reports no usage. */
  readonly usage: { readonly input: number; readonly output: number } | null;
  /** The server breaks down after half of the text. */
  readonly breaksDown: boolean;
}

/** The body of an answer; several parts if it is streamed. */
export interface Written {
  readonly type: string;
  readonly parts: readonly string[];
}

/** An error of a server. */
export interface Problem {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Record<string, string>;
}

/** Failures that every protocol reports in a form of its own. */
export type ProblemKind =
  | "unauthorized"
  | "unknown model"
  | "rate limited"
  | "quota"
  | "server error"
  | "overloaded";

/** The settings of a server. */
export interface Setup {
  /** The models or deployments that the server has. */
  readonly models: readonly string[];
  /** The key that requests must bring; without it, none is checked. */
  readonly key: string | undefined;
  /** The model's window. */
  readonly contextTokens: number;
  /** Whether the model takes pictures. */
  readonly sees: boolean;
  /** Whether the model is one of OpenAI's newer ones: no `max_tokens`, no temperature but 1. */
  readonly isNewer: boolean;
  /** The forms that an `openai-compatible` server takes. */
  readonly forms: readonly AskedForm[];
}

/** A protocol: reads requests and writes answers. */
export interface Protocol {
  /** Below the origin of the server: the `base_url` that a user configures. */
  readonly base: string;
  /** Returns what is asked, an answer that is not a text (a list of models), an error, or `undefined` for an unknown path. */
  read(raw: Raw, setup: Setup): Decoded | { readonly info: unknown } | Problem | undefined;
  /** Returns the error for a text that does not fit into the window; `undefined` if this server does not say so. */
  tooLong(asked: Asked, setup: Setup): Problem | undefined;
  problem(kind: ProblemKind, raw: Raw, setup: Setup): Problem;
  /** The answer to an unknown path. */
  unknownPath(raw: Raw): Problem;
  write(asked: Asked, answer: Answer): Written;
}

/** Tokens that a message takes beside its text. */
const MESSAGE_TOKENS = 4;

/** Letters, digits, Chinese and Japanese, or one other character. */
const PIECE = /[a-z]+|\d+|[\u2e80-\uffff]+|\S/giu;

/** Counts the tokens of a text: about as many as OpenAI's o200k, and the same ones everywhere. */
export function countTokens(text: string): number {
  let tokens = 0;
  for (const [piece] of text.matchAll(PIECE)) {
    const perToken = /^[a-z]/i.test(piece) ? 6 : /^\d/.test(piece) ? 3 : 1.4;
    tokens += Math.ceil(piece.length / perToken);
  }
  return tokens;
}

/** Returns a request with what the model sees of it. `tokensOf` counts a picture. */
export function askedOf(raw: Raw, decoded: Decoded, tokensOf: (image: AskedImage) => number): Asked {
  const { messages, silentLimit = Infinity } = decoded;
  const isSystem = ({ role }: AskedMessage) => role === "system" || role === "developer";
  const textOf = (some: readonly AskedMessage[]) => some.map(({ text }) => text).join("\n\n");
  const images = messages.flatMap((message) => message.images);
  const whole = textOf(messages);
  const beside = images.reduce((sum, image) => sum + tokensOf(image), 0) + messages.length * MESSAGE_TOKENS;
  const tokens = countTokens(whole) + beside;
  return {
    ...raw,
    ...decoded,
    instructions: textOf(messages.filter(isSystem)),
    prompt: textOf(messages.filter((message) => !isSystem(message))),
    images,
    seen: tokens > silentLimit ? endOf(whole, silentLimit - beside) : whole,
    inputTokens: Math.min(tokens, silentLimit),
  };
}

/** Returns the end of a text with at most `limit` tokens: Ollama drops the beginning, where the instructions are. */
function endOf(text: string, limit: number): string {
  let [from, to] = [0, text.length];
  while (from < to) {
    const middle = Math.floor((from + to) / 2);
    if (countTokens(text.slice(middle)) > limit) from = middle + 1;
    else to = middle;
  }
  return text.slice(from);
}

/** Returns the beginning of a text with at most `limit` tokens. */
export function beginningOf(text: string, limit: number): string {
  let [from, to] = [0, text.length];
  while (from < to) {
    const middle = Math.ceil((from + to) / 2);
    if (countTokens(text.slice(0, middle)) > limit) to = middle - 1;
    else from = middle;
  }
  return text.slice(0, from);
}

/** Cuts a text into the pieces in which it is streamed; characters outside the basic plane stay whole. */
export function pieces(text: string): string[] {
  return text.match(/[\s\S]{1,8}/gu) ?? [];
}

/** Returns the smallest value that a JSON schema allows, with the names of its properties as texts. */
// deno-lint-ignore no-explicit-any -- any JSON schema
export function sampleOf(schema: any, name = "value"): unknown {
  if (schema?.const !== undefined) return schema.const;
  if (Array.isArray(schema?.enum)) return schema.enum[0];
  const choice = schema?.anyOf ?? schema?.oneOf;
  if (Array.isArray(choice)) return sampleOf(choice[0], name);
  switch (Array.isArray(schema?.type) ? schema.type[0] : schema?.type) {
    case "object": {
      const entries = Object.entries(schema.properties ?? {});
      return Object.fromEntries(entries.map(([key, value]) => [key, sampleOf(value, key)]));
    }
    case "array":
      return Array.from({ length: schema.minItems ?? 0 }, () => sampleOf(schema.items, name));
    case "string":
      return name.padEnd(schema.minLength ?? 0, "x").slice(0, schema.maxLength ?? Infinity);
    case "integer":
    case "number":
      return Math.max(schema.minimum ?? 0, (schema.exclusiveMinimum ?? -1) + 1);
    case "boolean":
      return true;
    default:
      return null;
  }
}

/** Returns the picture of a `data:` URL; throws for another address, which these servers do not fetch. */
export function imageOf(url: string): AskedImage {
  const match = /^data:([\w.+/-]+);base64,([A-Za-z0-9+/=]+)$/.exec(url);
  if (match === null) throw new Error(`not a picture: ${url.slice(0, 40)}`);
  return { mime: match[1]!, bytes: Uint8Array.fromBase64(match[2]!) };
}

/** Returns the type of a picture that comes without one, by its first bytes. */
export function imageMime(bytes: Uint8Array): string {
  if (bytes[0] === 0x89) return "image/png";
  return bytes[0] === 0xff ? "image/jpeg" : "application/octet-stream";
}

/** One event of a stream. */
export function event(data: unknown, name?: string): string {
  const text = typeof data === "string" ? data : JSON.stringify(data);
  return `${name === undefined ? "" : `event: ${name}\n`}data: ${text}\n\n`;
}
