export { launch } from "./launch.ts";
