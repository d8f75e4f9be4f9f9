import type { LoadRequest } from "./load";
import type { World } from "./seed";

export interface Case {
  /** What `npm run bench -- <name>` picks. */
  name: string;
  title: string;
  request: (world: World) => LoadRequest;
}
