import type { LoadRequest } from "./load";
import type { World } from "./seed";

export interface Case {
  /** The name in `npm run bench -- <name>`. */
  name: string;
  title: string;
  request: (world: World) => LoadRequest;
}
