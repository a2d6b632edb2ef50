import { deepEqual } from "node:assert/strict";

/** Tolerance for numbers in answers. */
const TOLERANCE = 1e-9;

/** Asserts that two values are equal but for rounding. */
export function assertNear(actual: unknown, expected: unknown, about: string): void {
  deepEqual(differences(actual, expected), [], about);
}

/** Returns where two values differ by more than rounding: `.path: actual for expected`. */
export function differences(actual: unknown, expected: unknown, path = ""): string[] {
  if (typeof actual === "number" && typeof expected === "number") {
    const isNear = Math.abs(actual - expected) <= TOLERANCE * Math.max(1, Math.abs(expected));
    return isNear || Object.is(actual, expected) ? [] : [`${path}: ${actual} for ${expected}`];
  }
  if (!isObject(actual) || !isObject(expected)) {
    return Object.is(actual, expected) ? [] : [`${path}: ${told(actual)} for ${told(expected)}`];
  }
  return [...new Set([...Object.keys(actual), ...Object.keys(expected)])]
    .flatMap((key) => differences(actual[key], expected[key], `${path}.${key}`));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

function told(value: unknown): string {
  return JSON.stringify(value)?.slice(0, 200) ?? String(value);
}
