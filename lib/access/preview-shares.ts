import { createHmac, timingSafeEqual } from "node:crypto";
import type { HeldTransactions } from "@/lib/database/held-transactions";
import { read } from "@/lib/database/open";
import { ApiError, isRejection } from "@/lib/protocol/errors";
import { bearerOf, challenge } from "@/lib/protocol/http-fields";
import { assertCredentialUsable, assertNotRevoked } from "./authenticate";
import { assertPasswordChanged } from "./authorization";
import { assertPermission, isIssuerEnded, type Origin } from "./caller";
import { describeCredential } from "./credential-store";
import { deriveKey, deriveKeys } from "./secret-key";

/*
 * A share lets people without a login read one preview configuration and its comments:
 *
 *     link            /shared/{tenant}/{site}/{key}#token=svv_...   its SHA-256 is all that is stored
 *     exchange        POST …/shares/exchange {token}                 the page takes the token out of its address
 *     access token    {share id}.{expiry, ms in base 36}.{HMAC}        in the header X-Service-Preview-Share
 *
 * Every request reads the share and its author's rights, and nothing of that is cached: a revocation takes effect with
 * the next request on every process.
 */

const shareHeader = "x-service-preview-share";
const otherHeaders = ["x-service-session-id", "x-service-api-key"];
const maxTokenMs = 12 * 3_600_000;

/** A visitor who views one preview configuration through a share. */
export interface ShareVisitor extends Origin {
  tenantId: string;
  siteId: string;
  shareId: string;
  previewId: string;
  /** The key of the shared configuration. */
  key: string;
  /** For a request with an idempotency key: the transactions held open until its response is stored. */
  held?: HeldTransactions | undefined;
}

/** A share with its configuration. */
export interface ShareState {
  shareId: string;
  previewId: string;
  siteId: string;
  key: string;
  validTo: Date;
  userId: string;
  keyId: string | null;
  issuerEpoch: number | null;
}

const columns = `s.share_id as "shareId", s.preview_id as "previewId", p.site_id as "siteId", p.preview_key as key, s.valid_to as "validTo", s.user_id as "userId", s.key_id as "keyId",
  s.issuer_epoch as "issuerEpoch" from preview_shares s join preview_configurations p on p.tenant_id = $1 and p.preview_id = s.preview_id and p.deleted_at is null where s.tenant_id = $1`;
const byId = `select ${columns} and s.share_id = $2`;
const byHash = `select ${columns} and s.token_hash = $2`;

/** The share whose link's token has this hash. */
export async function findShareByHash(
  tenantId: string,
  tokenHash: Buffer,
): Promise<ShareState | undefined> {
  return (await read<ShareState>("share-by-hash", byHash, [tenantId, tokenHash]))[0];
}

const maker = ({ userId, keyId }: ShareState) =>
  keyId === null ? { userId } : { apiKeyId: keyId };

/**
 * Whether the author of the share could create it now: exists, is active, has not had all sessions ended since then, and may
 * still write the configurations of the site.
 */
export async function isShareBacked(tenantId: string, share: ShareState): Promise<boolean> {
  const credential = await describeCredential(tenantId, maker(share));
  if (!credential || credential.principal.userId !== share.userId) return false;
  const { principal } = credential;
  if (isIssuerEnded(share.issuerEpoch, principal)) return false;
  try {
    assertNotRevoked(credential);
    assertCredentialUsable(credential, Date.now());
    assertPasswordChanged({ worksBeforePasswordChange: false }, principal);
    assertPermission({ ...principal, siteId: share.siteId }, "preview.configuration.write");
    return true;
  } catch (error) {
    if (isRejection(error)) return false;
    throw error;
  }
}

const mac = (key: Buffer, tenantId: string, text: string) =>
  createHmac("sha256", key).update(`${tenantId}\n${text}`).digest();
const purpose = "preview-share";

/** An access token for a share and its expiry: that of the share, at most 12 hours from now. */
export function issueShareToken(tenantId: string, { shareId, validTo }: ShareState) {
  const expiresAt = Math.min(validTo.getTime(), Date.now() + maxTokenMs);
  const text = `${shareId}.${expiresAt.toString(36)}`;
  const accessToken = `${text}.${mac(deriveKey(purpose), tenantId, text).toString("base64url")}`;
  return { accessToken, expiresAt };
}

/** The content of a token, if this service issued it for the tenant. */
function readShareToken(tenantId: string, token: string) {
  const match = /^((shr_[0-9a-z]{26})\.([0-9a-z]{1,10}))\.([\w-]{43})$/.exec(token);
  const [, text = "", shareId = "", expiry = "", given = ""] = match ?? [];
  if (!match) return undefined;
  const presented = Buffer.from(given, "base64url");
  const isOurs = deriveKeys(purpose).some((key) =>
    timingSafeEqual(mac(key, tenantId, text), presented),
  );
  return isOurs ? { shareId, expiresAt: Number.parseInt(expiry, 36) } : undefined;
}

const unknownShare = () =>
  new ApiError(
    "auth.credentials-invalid",
    "This share is not valid here, or was revoked.",
    "PreviewShare",
    { headers: challenge("PreviewShare") },
  );

const expiredShare = (at: number) =>
  new ApiError(
    "auth.credentials-expired",
    "The access of this share has expired. Open its link again.",
    new Date(at).toISOString(),
    { headers: challenge("PreviewShare", "invalid_token") },
  );

/** The share token of a request. Throws 400 if it has another credential too, apart from the portal's cookie. */
export function findShareToken(headers: Pick<Headers, "get">): string | undefined {
  const token = headers.get(shareHeader)?.trim() || undefined;
  if (token === undefined) return undefined;
  if (bearerOf(headers) !== undefined || otherHeaders.some((name) => headers.get(name)?.trim()))
    throw new ApiError(
      "auth.ambiguous-credentials",
      "Two kinds of credential were sent. Send one of them.",
      "PreviewShare",
    );
  return token;
}

/** Returns the visitor who presents a share token, or throws 401/403. */
export async function authenticateShare(
  token: string,
  { tenantId, siteId }: { tenantId: string; siteId: string },
  origin: Origin,
): Promise<ShareVisitor> {
  const claimed = readShareToken(tenantId, token);
  if (!claimed) throw unknownShare();
  const [share] = await read<ShareState>("share-by-id", byId, [tenantId, claimed.shareId]);
  if (!share || share.siteId !== siteId || !(await isShareBacked(tenantId, share)))
    throw unknownShare();
  const end = Math.min(claimed.expiresAt, share.validTo.getTime());
  if (end <= Date.now()) throw expiredShare(end);
  const { shareId, previewId, key } = share;
  return { tenantId, siteId, shareId, previewId, key, ...origin };
}
