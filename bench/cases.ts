import { createApiKey } from "./cases/create-api-key";
import { currentSession } from "./cases/current-session";
import { listAllUsers } from "./cases/list-all-users";
import { listUsers } from "./cases/list-users";
import { sessionLogin } from "./cases/session-login";
import type { LoadRequest } from "./load";
import type { World } from "./seed";

export interface Case {
  /** What `npm run bench -- <name>` picks. */
  name: string;
  title: string;
  request: (world: World) => LoadRequest;
}

export const cases: Case[] = [listUsers, listAllUsers, currentSession, createApiKey, sessionLogin];
