import { deepEqual, equal, ok } from "node:assert/strict";
import { answerFailure, retryAfterMs, serverWords } from "#models/remote/guarded_fetch.ts";
import { serverOf } from "#models/embedding/remote/server.ts";
import { embeddingConfig } from "../embedding/_embedding_server.ts";

const SERVER = serverOf(embeddingConfig());

/** Returns the kind of failure of an answer. */
function kindOf(status: number, body: string | object): string {
  return answerFailure(SERVER, status, typeof body === "string" ? body : JSON.stringify(body)).kind;
}

Deno.test("answerFailure() recognises the errors of well-known servers", () => {
  const error = (message: string, code = "") => ({ error: { message, code } });
  const cases: [string, number, string | object][] = [
    // OpenAI
    ["too_long", 400, error("This model's maximum context length is 8192 tokens, you requested 9000 tokens")],
    ["batch_too_large", 400, error("Invalid 'input': array too long. Expected an array of length 2048")],
    ["batch_too_large", 400, error("Requested 340000 tokens, max 300000 tokens per request")],
    ["unknown_model", 404, error("The model `x` does not exist or you have no access", "model_not_found")],
    ["quota", 429, error("You exceeded your current quota, please check your plan", "insufficient_quota")],
    ["rate_limited", 429, error("Rate limit reached for text-embedding-3-small", "rate_limit_exceeded")],
    // Azure
    [
      "unknown_model",
      404,
      error("The API deployment for this resource does not exist.", "DeploymentNotFound"),
    ],
    // LM Studio
    ["wrong_address", 200, { error: "Unexpected endpoint or method. (POST /embeddings)" }],
    ["unknown_model", 404, error("No models loaded. Please load a model in the developer page")],
    // Ollama
    ["unknown_model", 404, error('model "bge-m3" not found, try pulling it first')],
    ["too_long", 400, error("the input length exceeds the context length")],
    // llama.cpp
    ["too_long", 500, error("input (1033 tokens) is too large to process. increase the physical batch size")],
    // Text Embeddings Inference
    ["too_long", 413, { error: "Input validation error: `inputs` must have less than 512 tokens" }],
    ["batch_too_large", 422, { error: "batch size 64 > maximum allowed batch size 32" }],
    // vLLM
    ["unknown_model", 404, { object: "error", message: "The model `x` does not exist.", code: 404 }],
    // DashScope
    [
      "batch_too_large",
      400,
      error("<400> InternalError: batch size is invalid, it should not be larger than 10."),
    ],
    ["too_long", 400, error("Range of input length should be [1, 8192]")],
    ["quota", 400, error("Access denied, please make sure your account is in good standing.", "Arrearage")],
    // SiliconFlow
    ["unknown_model", 400, { code: 20012, message: "Model does not exist. Please check it carefully." }],
    ["too_long", 413, { code: 20042, message: "input must have less than 512 tokens" }],
    ["rejected", 400, { code: "1210", message: "API 调用参数有误，请检查文档。" }],
    // others
    ["key_missing", 401, ""],
    ["key_missing", 403, "<html>Forbidden</html>"],
    ["wrong_address", 404, "<html>Not Found</html>"],
    ["wrong_address", 405, ""],
    ["server_error", 503, "Loading model"],
    ["server_error", 408, ""],
  ];
  deepEqual(cases.map(([, status, body]) => kindOf(status, body)), cases.map(([kind]) => kind));
});

Deno.test("serverWords() returns one line of limited length", () => {
  const words = (body: string) => answerFailure(SERVER, 400, body).params["words"];
  deepEqual(
    [
      words('{"error": {"message": "one\\ntwo\\u001b[31m"}}'),
      words("<html><script>x()</script><p>No such\n page</p></html>"),
      words("x".repeat(300)),
      words(""),
      words("{}"),
    ],
    ["one two [31m", "No such page", `${"x".repeat(200)}…`, "HTTP 400", "HTTP 400"],
  );
});

Deno.test("serverWords() removes unclosed scripts and style sheets, and secrets before it cuts", () => {
  const server = serverOf(embeddingConfig({ "api_key": "key-0123456789" }));
  const words = (body: string) => serverWords(body, server.secrets);
  deepEqual(
    [
      words("<STYLE>p {}</style><p>Not <b>here</b>"),
      words(`Not here <script>${"x".repeat(10_000)}`),
      words(`${"<p>".repeat(2728)}key-0123456789`),
      words("a < b <<p>c"),
    ],
    ["Not here", "Not here", "", "a < b < c"],
  );
});

Deno.test("serverWords() takes linear time for any text", () => {
  const mega = 1 << 20;
  const bodies = [
    "<",
    "<script>",
    "<script </script",
    "<a ",
    "sk-",
    "Bearer ",
    '{"error":',
    '"code":"a',
    " ",
  ];
  // Each of these took minutes before.
  const kinds = bodies.map((part) => kindOf(400, part.repeat(mega / part.length)));
  deepEqual(kinds, bodies.map(() => "rejected"));
});

Deno.test("retryAfterMs() reads seconds, a date, and milliseconds", () => {
  const read = (headers: HeadersInit) => retryAfterMs(new Headers(headers));
  deepEqual(
    [
      read({}),
      read({ "retry-after": "7" }),
      read({ "retry-after": "60", "retry-after-ms": "250" }),
      read({ "retry-after": "soon" }),
      read({ "retry-after": "Thu, 01 Jan 1970 00:00:00 GMT" }),
    ],
    [undefined, 7000, 250, undefined, 0],
  );
  const inAMinute = read({ "retry-after": new Date(Date.now() + 60_000).toUTCString() })!;
  ok(inAMinute > 55_000 && inAMinute <= 60_000);
  equal(answerFailure(SERVER, 429, "", new Headers({ "retry-after": "7" })).retryAfterMs, 7000);
});
