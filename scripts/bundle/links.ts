/** How an editor starts the server by npm, with a folder in its own words. */
function startIn(npmPackage: string, folder: string) {
  return { command: "npx", args: ["-y", npmPackage, "serve", "--dir", folder] };
}

/**
 * Returns the addresses that install the server in an editor with one click. VS Code asks for the folder
 * (https://code.visualstudio.com/api/extension-guides/ai/mcp, "Create an MCP installation URL"); Cursor, which cannot ask, takes that of
 * the project (https://cursor.com/docs/context/mcp/install-links).
 */
export function installLinks(name: string, npmPackage: string): Record<string, string> {
  const folder = { type: "promptString", id: "folder", description: "Folder to search / 要检索的目录" };
  const inputs = encodeURIComponent(JSON.stringify([folder]));
  const config = encodeURIComponent(
    JSON.stringify({ type: "stdio", ...startIn(npmPackage, "${input:folder}") }),
  );
  // This page opens `vscode:mcp/install`, which GitHub does not show as a link.
  const page =
    `https://insiders.vscode.dev/redirect/mcp/install?name=${name}&inputs=${inputs}&config=${config}`;
  const project = new TextEncoder().encode(JSON.stringify(startIn(npmPackage, "${workspaceFolder}")))
    .toBase64();
  return {
    vscode_link: page,
    vscode_insiders_link: `${page}&quality=insiders`,
    cursor_link: `https://cursor.com/en/install-mcp?name=${name}&config=${encodeURIComponent(project)}`,
  };
}
