import { deepEqual } from "node:assert/strict";
import * as z from "zod";
import { texts } from "../../scripts/bundle/texts.ts";
import { fakeRelease } from "./_fake_release.ts";

/** A single version, as the registry requires; not a range. */
const VERSION = z.string().max(255).regex(/^\d+\.\d+\.\d+$/);

/** The part of the MCP registry's schema 2025-12-11 that this project's server.json uses. */
const SERVER = z.strictObject({
  "$schema": z.literal("https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json"),
  name: z.string().min(3).max(200).regex(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/),
  title: z.string().min(1).max(100),
  description: z.string().min(1).max(100),
  version: VERSION,
  repository: z.strictObject({ url: z.url(), source: z.literal("github") }),
  packages: z.array(z.discriminatedUnion("registryType", [
    z.strictObject({
      registryType: z.literal("npm"),
      identifier: z.string(),
      version: VERSION,
      transport: z.strictObject({ type: z.literal("stdio") }),
      packageArguments: z.array(z.discriminatedUnion("type", [
        z.strictObject({ type: z.literal("positional"), value: z.string() }),
        z.strictObject({
          type: z.literal("named"),
          name: z.string().startsWith("--"),
          description: z.string(),
          format: z.enum(["string", "number", "boolean", "filepath"]),
          isRequired: z.boolean(),
          isRepeated: z.boolean(),
        }),
      ])),
    }),
    // The checksum of a bundle is required, and its URL must show that it is an MCP bundle.
    z.strictObject({
      registryType: z.literal("mcpb"),
      identifier: z.url().regex(/^https:\/\/github\.com\/.+\/releases\/download\/.+mcpb$/),
      fileSha256: z.string().regex(/^[a-f0-9]{64}$/),
      transport: z.strictObject({ type: z.literal("stdio") }),
    }),
  ])),
});

Deno.test("server.json follows the schema of the MCP registry, and names the same server as npm's package.json", async () => {
  const release = await fakeRelease();
  const bundles = ["linux-x64.mcpb", "linux-arm64.mcpb", "macos.mcpb", "windows-x64.mcpb"];
  const sums = Object.fromEntries(bundles.map((name) => [name, "0a".repeat(32)]));
  const made = [...texts(release, sums)].find(({ path }) => path === "server.json")!;
  if ("missing" in made) throw new Error(made.missing);
  const { name, version, packages } = SERVER.parse(JSON.parse(made.text));
  // The registry compares these two fields with the published package.
  const npm = JSON.parse(
    release.templates["packaging/npm/main/package.json"]!.replace(
      /\{\{(\w+)\}\}/g,
      (_, key) => release.values[key]!,
    ),
  );
  deepEqual([npm.mcpName, npm.name, npm.version], [name, packages[0]!.identifier, version]);
});
