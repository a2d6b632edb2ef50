/** An executable of the sources under test, for tests that need one. */
export { executable, NO_EXECUTABLE } from "../../scripts/compile/own_executable.ts";
