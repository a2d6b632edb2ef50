/**
 * Traces for collectors: OTLP over HTTP, in protobuf or JSON, under the names of OpenInference and OpenTelemetry.
 * @module
 */
export * from "./conventions.ts";
export * from "./exporter.ts";
export * from "./otlp.ts";
export * from "./spans.ts";
