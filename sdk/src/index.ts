export type { ClientOptions } from "./caller.js";
export {
  type Core,
  createClient,
  type Event,
  type FullResponse,
  type Gatehouse,
  type PresentedCredential,
  type Verdict,
} from "./client.js";
export type { CustomerCredential, TokenPair } from "./customer-tokens.js";
export {
  CallError,
  type ErrorCode,
  type FieldProblem,
  type GatehouseError,
  isGatehouseError,
} from "./errors.js";
export type { FollowOptions } from "./feed.js";
export type * from "./generated-types.js";
export type { Answer, CallOptions, Input, Operation } from "./methods.js";
export type { Page, PageIterator } from "./pages.js";
export type { Verifier, VerifierOptions, VerifierRequest } from "./verifier.js";
export { type Delivery, readAuditBatch, readWebhook, WebhookError } from "./webhooks.js";
