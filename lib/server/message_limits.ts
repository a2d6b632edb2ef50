/**
 * Checks of the size and shape of a message. It imports nothing of the SDK, because the first answer is sent before the SDK is loaded.
 */

const CLIENT_INFO_META_KEY = "io.modelcontextprotocol/clientInfo";
const PROTOCOL_VERSION_META_KEY = "io.modelcontextprotocol/protocolVersion";

/**
 * Limits of one message, for stdio and HTTP. They are checked before the message is validated, because zod and the SDK take
 * seconds for many keys, recurse into deep values, and keep or repeat what they are given. The errors are in English as all
 * errors of the transports: they are for the developer of a client.
 */
export const MESSAGE_LIMITS = {
  /** Lists and objects inside of each other. Requests of the protocol have fewer than 10. */
  depth: 64,
  /** Keys and items of the whole message. The largest requests are batches, and lists of 1000 URIs. */
  values: 5000,
  /** UTF-16 units of a key, and of a text that the answer repeats or looks up: an id, a method, the name of a tool. */
  nameChars: 256,
  /** UTF-16 units of each text in `clientInfo` that the server keeps as long as the session. */
  clientChars: 1000,
  /** UTF-16 units of a URI or cursor: the longest path that Linux opens (4096 bytes), each byte written as `%E8`, with room for the rest. */
  uriChars: 16_384,
  /** UTF-16 units of every other text, except a tool's arguments; they have {@linkcode MAX_ARGUMENT_CHARS}. */
  textChars: 65_536,
  /** UTF-16 units of the parameters of `initialize`, most of which the server keeps: 200 sessions have 13 MB. */
  initializeChars: 65_536,
  /** Documents that one client or one stream of notifications can subscribe to. */
  subscriptions: 1000,
  /** UTF-16 units of their URIs together. */
  subscribedChars: 524_288,
};

/** UTF-16 units of one text in a tool's arguments. A wrong call gets the answer of the tool. */
export const MAX_ARGUMENT_CHARS = 131_072;

/** A sentence about JSON that has too many keys and items, or is too deep. One pass over the text, before it is parsed. */
export function shapeProblem(json: string): string | undefined {
  const limits = MESSAGE_LIMITS;
  let depth = 0, deepest = 0, values = 0;
  for (let at = 0; at < json.length; at++) {
    switch (json.charCodeAt(at)) {
      case 0x22: // "
        at = endOfText(json, at);
        break;
      case 0x5b: // [
      case 0x7b: // {
        values++;
        if (++depth > deepest) deepest = depth;
        break;
      case 0x5d: // ]
      case 0x7d: // }
        depth--;
        break;
      case 0x2c: // ,
        values++;
    }
  }
  if (deepest > limits.depth) {
    return `lists and objects inside of each other: at most ${limits.depth} levels, found ${deepest}`;
  }
  if (values > limits.values) return `keys and items: at most ${limits.values}, found ${values}`;
  return undefined;
}

/** Index of the quote that ends the text which begins at `start`. */
function endOfText(json: string, start: number): number {
  let end = json.indexOf('"', start + 1);
  while (end >= 0) {
    let slashes = 0;
    while (json.charCodeAt(end - 1 - slashes) === 0x5c) slashes++;
    if (slashes % 2 === 0) return end;
    end = json.indexOf('"', end + 1);
  }
  return json.length;
}

const { nameChars, clientChars, uriChars } = MESSAGE_LIMITS;
const CLIENT_INFO = ["name", "title", "version"];

/** Texts with a limit of their own, by their place in a message. */
const PLACES: readonly (readonly [place: readonly string[], limit: number])[] = [
  [["id"], nameChars],
  [["method"], nameChars],
  [["params", "name"], nameChars],
  [["params", "level"], nameChars],
  [["params", "requestId"], nameChars],
  [["params", "protocolVersion"], nameChars],
  [["params", "ref", "name"], nameChars],
  [["params", "argument", "name"], nameChars],
  [["params", "_meta", "progressToken"], nameChars],
  [["params", "_meta", PROTOCOL_VERSION_META_KEY], nameChars],
  [["params", "uri"], uriChars],
  [["params", "cursor"], uriChars],
  [["params", "ref", "uri"], uriChars],
  [["params", "argument", "value"], uriChars],
  ...CLIENT_INFO.map((key) => [["params", "clientInfo", key], clientChars] as const),
  ...CLIENT_INFO.map((key) => [["params", "_meta", CLIENT_INFO_META_KEY, key], clientChars] as const),
];

/** A sentence about a text of a parsed message that is too long. The message has the shape that {@linkcode shapeProblem} allows. */
export function textProblem(message: unknown): string | undefined {
  for (const [place, limit] of PLACES) {
    const text = valueAt(message, place);
    if (typeof text === "string" && text.length > limit) return tooLong(place.join("."), limit, text.length);
  }
  const { subscriptions, subscribedChars, initializeChars } = MESSAGE_LIMITS;
  const uris = valueAt(message, ["params", "notifications", "resourceSubscriptions"]);
  if (Array.isArray(uris)) {
    const place = "params.notifications.resourceSubscriptions";
    if (uris.length > subscriptions) return `${place}: at most ${subscriptions} URIs, found ${uris.length}`;
    // Other values are refused later. Not every object can be made a text.
    const chars = uris.reduce<number>((sum, uri) => sum + (typeof uri === "string" ? uri.length : 0), 0);
    if (chars > subscribedChars) return tooLong(place, subscribedChars, chars);
  }
  if (valueAt(message, ["method"]) === "initialize") {
    const { length } = JSON.stringify(valueAt(message, ["params"]) ?? "");
    if (length > initializeChars) return tooLong("params", initializeChars, length);
  }
  const isCall = valueAt(message, ["method"]) === "tools/call";
  return longText(message, [], isCall ? valueAt(message, ["params", "arguments"]) : undefined);
}

/** A sentence about the first text that is longer than every text may be, or the first such key, outside of `except`. */
function longText(value: unknown, place: readonly string[], except: unknown): string | undefined {
  const { textChars } = MESSAGE_LIMITS;
  if (typeof value === "string") {
    return value.length > textChars ? tooLong(place.join("."), textChars, value.length) : undefined;
  }
  if (typeof value !== "object" || value === null || value === except) return undefined;
  for (const [key, inner] of Object.entries(value)) {
    if (key.length > nameChars) {
      return tooLong(`a key in ${place.join(".") || "the message"}`, nameChars, key.length);
    }
    const problem = longText(inner, place.length < 4 ? [...place, key] : place, except);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function tooLong(place: string, limit: number, found: number): string {
  return `${place}: at most ${limit} characters, found ${found}`;
}

function valueAt(message: unknown, place: readonly string[]): unknown {
  let value = message;
  for (const key of place) value = (value as Record<string, unknown> | null | undefined)?.[key];
  return value;
}
