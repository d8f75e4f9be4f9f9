import type { Credential } from "@/lib/protocol/endpoint";
import type { Json } from "./schema-writer";

/** For each scheme: its name in the founding document, how requests send it and where to get it. */
export const schemes: Record<Credential, { name: string; label: string; description: Json }> = {
  session: {
    name: "Session",
    label: "a session",
    description: {
      type: "apiKey",
      in: "header",
      name: "X-Service-Session-Id",
      description: "A session id of a management user, from `POST /v1/user/session-login`.",
    },
  },
  apiKey: {
    name: "ApiKey",
    label: "an API key",
    description: {
      type: "apiKey",
      in: "header",
      name: "X-Service-API-Key",
      description:
        "An API key, from `POST /v1/user/profile/api-keys`. It has the roles of its owner, or the part of them that it was restricted to.",
    },
  },
  bearer: {
    name: "NoChannelPortalAccess",
    label: "the management bearer token",
    description: {
      type: "http",
      scheme: "bearer",
      bearerFormat: "JWT",
      description: "A management bearer token, from `POST /v1/user/portal-token`: a JWT (RFC8725).",
    },
  },
  anonymous: {
    name: "AnonymousBearerToken",
    label: "an anonymous bearer token",
    description: {
      type: "http",
      scheme: "bearer",
      bearerFormat: "JWT",
      description:
        "The token of a shopper who has not signed in, from `POST /v1/customer/login/anonymous-token`: a JWT (RFC8725).",
    },
  },
  customer: {
    name: "LoggedInBearerToken",
    label: "a customer's access token",
    description: {
      type: "http",
      scheme: "bearer",
      bearerFormat: "JWT",
      description:
        "The access token of a signed-in customer, from `POST /v1/customer/login/token`: a JWT (RFC8725).",
    },
  },
  share: {
    name: "PreviewShare",
    label: "an access token of a share",
    description: {
      type: "apiKey",
      in: "header",
      name: "X-Service-Preview-Share",
      description:
        "The access token of a share, from `POST /pim/preview/{key}/shares/exchange`: for one preview configuration and its comments.",
    },
  },
};

export const securitySchemes = (): Json =>
  Object.fromEntries(Object.values(schemes).map(({ name, description }) => [name, description]));
