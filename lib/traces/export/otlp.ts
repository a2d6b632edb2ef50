/**
 * Spans as requests of the OpenTelemetry protocol (OTLP 1.x, `ExportTraceServiceRequest`), in protobuf and in JSON, and its
 * answers. The numbers of the fields are those of opentelemetry-proto 1.10.0, which are stable.
 */
import { PbfReader, PbfWriter } from "pbf";

/** The value of an attribute. `bigint` is an integer of 64 bits, `number` a double. */
export type Value = string | boolean | bigint | number | readonly Value[];

/** Attributes by name, in order. */
export type Attributes = Readonly<Record<string, Value>>;

/** `SpanKind` of OTLP. */
export const KIND = { internal: 1, server: 2, client: 3 } as const;

/** `StatusCode` of OTLP. */
const STATUS_ERROR = 2;

/** A span as a collector gets it. */
export interface OtlpSpan {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** 16 hexadecimal digits. */
  readonly spanId: string;
  readonly parentSpanId?: string | undefined;
  /** Flags of W3C's trace context in the lowest byte; 0x100: it is known whether the parent is remote, 0x200: it is. */
  readonly flags: number;
  readonly name: string;
  readonly kind: typeof KIND[keyof typeof KIND];
  /** Nanoseconds since 1970. */
  readonly start: bigint;
  readonly end: bigint;
  readonly attributes: Attributes;
  /** Attributes that were left out. */
  readonly droppedAttributes: number;
  /** The message of the error that ended the span. */
  readonly error?: string | undefined;
}

/** The origin of spans, and the conventions of their attributes. */
export interface Source {
  /** Attributes of the resource, such as `service.name`. */
  readonly resource: Attributes;
  readonly scope: { readonly name: string; readonly version: string };
}

/** The content type and the body of a request. */
export interface OtlpRequest {
  readonly type: "application/x-protobuf" | "application/json";
  readonly body: Uint8Array<ArrayBuffer>;
}

/** Returns the request for some spans. */
export function otlpRequest(
  protocol: "protobuf" | "json",
  spans: readonly OtlpSpan[],
  source: Source,
): OtlpRequest {
  if (protocol === "protobuf") return { type: "application/x-protobuf", body: protobufOf(spans, source) };
  const json = JSON.stringify(jsonOf(spans, source));
  return { type: "application/json", body: new TextEncoder().encode(json) };
}

/** Spans that a collector refused although it accepted the request. */
export interface PartialSuccess {
  readonly rejected: number;
  readonly message: string;
}

/** Reads a collector's answer. One that cannot be read counts as empty: the collector has accepted the request. */
export function readAnswer(type: string, body: Uint8Array): PartialSuccess {
  try {
    return /\bjson\b/i.test(type) ? partialOfJson(body) : partialOfProtobuf(body);
  } catch {
    return { rejected: 0, message: "" };
  }
}

/** Wire types of protobuf. */
const FIXED64 = 1;
const FIXED32 = 5;

type Write<T> = (value: T, pbf: PbfWriter) => void;

function protobufOf(spans: readonly OtlpSpan[], source: Source): Uint8Array<ArrayBuffer> {
  const pbf = new PbfWriter();
  // ExportTraceServiceRequest.resource_spans
  pbf.writeMessage(1, writeResourceSpans, { spans, source });
  return pbf.finish() as Uint8Array<ArrayBuffer>;
}

const writeResourceSpans: Write<{ spans: readonly OtlpSpan[]; source: Source }> = (value, pbf) => {
  pbf.writeMessage(1, writeResource, value.source.resource);
  pbf.writeMessage(2, writeScopeSpans, value);
};

const writeResource: Write<Attributes> = (attributes, pbf) => writeAttributes(1, attributes, pbf);

const writeScopeSpans: Write<{ spans: readonly OtlpSpan[]; source: Source }> = ({ spans, source }, pbf) => {
  pbf.writeMessage(1, writeScope, source.scope);
  for (const span of spans) pbf.writeMessage(2, writeSpan, span);
};

const writeScope: Write<Source["scope"]> = ({ name, version }, pbf) => {
  pbf.writeStringField(1, name);
  pbf.writeStringField(2, version);
};

const writeSpan: Write<OtlpSpan> = (span, pbf) => {
  pbf.writeBytesField(1, Uint8Array.fromHex(span.traceId));
  pbf.writeBytesField(2, Uint8Array.fromHex(span.spanId));
  if (span.parentSpanId !== undefined) pbf.writeBytesField(4, Uint8Array.fromHex(span.parentSpanId));
  pbf.writeStringField(5, span.name);
  pbf.writeVarintField(6, span.kind);
  writeTime(7, span.start, pbf);
  writeTime(8, span.end, pbf);
  writeAttributes(9, span.attributes, pbf);
  if (span.droppedAttributes > 0) pbf.writeVarintField(10, span.droppedAttributes);
  if (span.error !== undefined) pbf.writeMessage(15, writeError, span.error);
  pbf.writeTag(16, FIXED32);
  pbf.writeFixed32(span.flags);
};

const writeError: Write<string> = (message, pbf) => {
  pbf.writeStringField(2, message);
  pbf.writeVarintField(3, STATUS_ERROR);
};

/** Writes 64 bits exactly: a `number` is only exact to 256 nanoseconds. */
function writeTime(field: number, time: bigint, pbf: PbfWriter): void {
  pbf.writeTag(field, FIXED64);
  pbf.writeFixed32(Number(time & 0xffffffffn));
  pbf.writeFixed32(Number(time >> 32n));
}

function writeAttributes(field: number, attributes: Attributes, pbf: PbfWriter): void {
  for (const entry of Object.entries(attributes)) pbf.writeMessage(field, writeAttribute, entry);
}

const writeAttribute: Write<[string, Value]> = ([key, value], pbf) => {
  pbf.writeStringField(1, key);
  pbf.writeMessage(2, writeValue, value);
};

const writeValue: Write<Value> = (value, pbf) => {
  if (typeof value === "string") pbf.writeStringField(1, value);
  else if (typeof value === "boolean") pbf.writeBooleanField(2, value);
  else if (typeof value === "bigint") pbf.writeVarintField(3, Number(value));
  else if (typeof value === "number") pbf.writeDoubleField(4, value);
  else pbf.writeMessage(5, writeArray, value);
};

const writeArray: Write<readonly Value[]> = (values, pbf) => {
  for (const value of values) pbf.writeMessage(1, writeValue, value);
};

/** Ids are hexadecimal, enumerations are numbers, and integers of 64 bits are texts. */
function jsonOf(spans: readonly OtlpSpan[], { resource, scope }: Source): unknown {
  return {
    resourceSpans: [{
      resource: { attributes: jsonAttributes(resource) },
      scopeSpans: [{ scope, spans: spans.map(jsonSpan) }],
    }],
  };
}

function jsonSpan({ start, end, attributes, droppedAttributes, error, ...span }: OtlpSpan): unknown {
  return {
    ...span,
    startTimeUnixNano: String(start),
    endTimeUnixNano: String(end),
    attributes: jsonAttributes(attributes),
    ...(droppedAttributes > 0 && { droppedAttributesCount: droppedAttributes }),
    ...(error !== undefined && { status: { message: error, code: STATUS_ERROR } }),
  };
}

function jsonAttributes(attributes: Attributes): unknown[] {
  return Object.entries(attributes).map(([key, value]) => ({ key, value: jsonValue(value) }));
}

function jsonValue(value: Value): unknown {
  if (typeof value === "string") return { stringValue: value };
  if (typeof value === "boolean") return { boolValue: value };
  if (typeof value === "bigint") return { intValue: String(value) };
  if (typeof value === "number") return { doubleValue: value };
  return { arrayValue: { values: value.map(jsonValue) } };
}

function partialOfJson(body: Uint8Array): PartialSuccess {
  const { partialSuccess } = JSON.parse(new TextDecoder().decode(body)) ?? {};
  const { rejectedSpans, errorMessage } = partialSuccess ?? {};
  return { rejected: countOf(Number(rejectedSpans ?? 0)), message: String(errorMessage ?? "") };
}

function partialOfProtobuf(body: Uint8Array): PartialSuccess {
  const answer = { rejected: 0, message: "" };
  const read = (field: number, partial: typeof answer, pbf: PbfReader) => {
    if (field === 1) partial.rejected = countOf(pbf.readVarint(true));
    else if (field === 2) partial.message = pbf.readString();
  };
  return new PbfReader(body).readFields((field, partial, pbf) => {
    if (field === 1) pbf.readMessage(read, partial);
  }, answer);
}

function countOf(count: number): number {
  return Number.isSafeInteger(count) && count > 0 ? count : 0;
}
