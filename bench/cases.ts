import type { Case } from "./case";
import { anonymousToken } from "./cases/anonymous-token";
import { createApiKey } from "./cases/create-api-key";
import { currentSession } from "./cases/current-session";
import { customerLogin } from "./cases/customer-login";
import { getPreview } from "./cases/get-preview";
import { listAllUsers } from "./cases/list-all-users";
import { listUsers } from "./cases/list-users";
import { listUsersApart } from "./cases/list-users-apart";
import { ownProfile } from "./cases/own-profile";
import { putPreview } from "./cases/put-preview";
import { refreshToken } from "./cases/refresh-token";
import { sessionLogin } from "./cases/session-login";
import { verifyCredential } from "./cases/verify-credential";

export const cases: Case[] = [
  listUsers,
  listUsersApart,
  listAllUsers,
  currentSession,
  verifyCredential,
  createApiKey,
  sessionLogin,
  anonymousToken,
  customerLogin,
  refreshToken,
  ownProfile,
  getPreview,
  putPreview,
];
