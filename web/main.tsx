/** The start of the pages. */
import { render } from "preact";
import { Shell } from "#web/shell.tsx";

render(<Shell />, document.getElementById("app")!);
