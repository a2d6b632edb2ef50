import root from "@opentelemetry/otlp-transformer/build/src/generated/root.js";

/** A span as OpenTelemetry's own code reads it: bytes in hexadecimal, 64 bits as texts, attributes by name. */
export interface ReadSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly kind: number;
  readonly flags: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly status?: { readonly message: string; readonly code: number };
}

/** A request as OpenTelemetry's own code reads it. */
export interface ReadRequest {
  readonly resource: Readonly<Record<string, unknown>>;
  readonly scope: unknown;
  readonly spans: readonly ReadSpan[];
}

// deno-lint-ignore no-explicit-any -- the generated code has no types
type Any = any;

const trace = (root as Any).opentelemetry.proto.collector.trace.v1;

/** Reads the body of a request by the definitions in OpenTelemetry's packages. */
export function readRequest(type: string, body: Uint8Array): ReadRequest {
  const Request = trace.ExportTraceServiceRequest;
  const read = type === "application/json"
    ? JSON.parse(new TextDecoder().decode(body), hexToBase64)
    : Request.toObject(Request.decode(body), { longs: String, bytes: String });
  // Both go through the definitions, so that a field with another name or type is lost or fails.
  const { resourceSpans: [{ resource, scopeSpans: [{ scope, spans = [] }] }] } = Request.toObject(
    Request.fromObject(read),
    { longs: String, bytes: String },
  );
  return {
    resource: attributesOf(resource.attributes),
    scope,
    spans: spans.map((span: Any) => ({
      ...span,
      traceId: hexOf(span.traceId),
      spanId: hexOf(span.spanId),
      ...(span.parentSpanId && { parentSpanId: hexOf(span.parentSpanId) }),
      attributes: attributesOf(span.attributes),
    })),
  };
}

/** OTLP's JSON has ids in hexadecimal, protobuf's JSON in base64. */
function hexToBase64(key: string, value: unknown): unknown {
  return /^(?:trace|span|parentSpan)Id$/.test(key) ? Uint8Array.fromHex(String(value)).toBase64() : value;
}

function hexOf(base64: string): string {
  return Uint8Array.fromBase64(base64).toHex();
}

function attributesOf(attributes: Any[]): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, valueOf(value)]));
}

function valueOf({ stringValue, boolValue, intValue, doubleValue, arrayValue }: Any): unknown {
  if (arrayValue !== undefined) return arrayValue.values.map(valueOf);
  return stringValue ?? boolValue ?? doubleValue ?? (intValue === undefined ? undefined : `${intValue}n`);
}

/** An answer of a {@linkcode Collector}. */
export interface CollectorAnswer {
  readonly status?: number;
  readonly headers?: Record<string, string>;
  /** Spans that the answer rejects, and why. */
  readonly rejected?: readonly [number, string];
  /** Whether it never comes. */
  readonly hangs?: true;
}

/** A collector on 127.0.0.1 that reads requests by the definitions in OpenTelemetry's packages. */
export class Collector implements AsyncDisposable {
  readonly requests: (ReadRequest & { readonly headers: Headers; readonly path: string })[] = [];
  readonly #answers: CollectorAnswer[];
  readonly #end = new AbortController();
  readonly #server: Deno.HttpServer<Deno.NetAddr>;
  #onRequest = () => {};

  /** `answers`: those to the first requests; all others are accepted. */
  constructor(answers: readonly CollectorAnswer[] = []) {
    this.#answers = [...answers];
    this.#server = Deno.serve(
      { hostname: "127.0.0.1", port: 0, onListen: () => {} },
      (request) => this.#answer(request),
    );
  }

  get url(): string {
    return `http://127.0.0.1:${this.#server.addr.port}`;
  }

  get spans(): ReadSpan[] {
    return this.requests.flatMap(({ spans }) => spans);
  }

  /** Resolves with the spans as soon as there are so many. */
  async until(count: number): Promise<ReadSpan[]> {
    while (this.spans.length < count) await new Promise<void>((resolve) => this.#onRequest = resolve);
    return this.spans;
  }

  async #answer(request: Request): Promise<Response> {
    const type = request.headers.get("content-type") ?? "";
    const body = await request.bytes();
    const { headers } = request;
    this.requests.push({ ...readRequest(type, body), headers, path: new URL(request.url).pathname });
    this.#onRequest();
    const { status = 200, headers: own, rejected, hangs } = this.#answers.shift() ?? {};
    if (hangs) await new Promise((resolve) => this.#end.signal.addEventListener("abort", resolve));
    if (status !== 200) return new Response("no", { status, ...(own && { headers: own }) });
    const partialSuccess = rejected && { rejectedSpans: rejected[0], errorMessage: rejected[1] };
    const answer = rejected ? { partialSuccess } : {};
    const Answer = trace.ExportTraceServiceResponse;
    return type === "application/json"
      ? Response.json(answer)
      : new Response(Answer.encode(Answer.fromObject(answer)).finish(), {
        headers: { "content-type": type },
      });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#end.abort();
    await this.#server.shutdown();
  }
}
