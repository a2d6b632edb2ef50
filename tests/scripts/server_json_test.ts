import { deepEqual } from "node:assert/strict";
import * as z from "zod";
import { texts } from "../../scripts/bundle/texts.ts";
import { fakeRelease } from "./_fake_release.ts";

/** A version as the registry wants it: a certain one. */
const VERSION = z.string().max(255).regex(/^\d+\.\d+\.\d+$/);

/** Of what a server.json may hold, that which ours holds: schema 2025-12-11 of the MCP registry. */
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
    // a bundle's checksum is required, and its address has to tell what it is
    z.strictObject({
      registryType: z.literal("mcpb"),
      identifier: z.url().regex(/^https:\/\/github\.com\/.+\/releases\/download\/.+mcpb$/),
      fileSha256: z.string().regex(/^[a-f0-9]{64}$/),
      transport: z.strictObject({ type: z.literal("stdio") }),
    }),
  ])),
});

Deno.test("server.json is as the schema of the MCP registry wants it, and names what npm's package.json names", async () => {
  const release = await fakeRelease();
  const bundles = ["linux-x64.mcpb", "linux-arm64.mcpb", "macos.mcpb", "windows-x64.mcpb"];
  const sums = Object.fromEntries(bundles.map((name) => [name, "0a".repeat(32)]));
  const made = [...texts(release, sums)].find(({ path }) => path === "server.json")!;
  if ("missing" in made) throw new Error(made.missing);
  const { name, version, packages } = SERVER.parse(JSON.parse(made.text));
  // the registry compares these two with what is published
  const npm = JSON.parse(
    release.templates["packaging/npm/main/package.json"]!.replace(
      /\{\{(\w+)\}\}/g,
      (_, key) => release.values[key]!,
    ),
  );
  deepEqual([npm.mcpName, npm.name, npm.version], [name, packages[0]!.identifier, version]);
});
