import { isGatehouseError } from "./errors.js";

/** The tokens from a customer's sign-in. */
export interface TokenPair {
  accessToken: string;
  refreshToken: string;
}

export interface CustomerCredential extends TokenPair {
  /** Called with each new pair, before the pending request is sent: store it, because the previous refresh token is used up. */
  onRefresh?: (pair: TokenPair) => void | Promise<void>;
}

type Exchange = (refreshToken: string) => Promise<TokenPair>;

/** A customer's tokens. Calls that find the access token expired at the same time share one refresh. */
export class CustomerTokens {
  private pair: TokenPair;
  private readonly onRefresh: CustomerCredential["onRefresh"];
  private refreshing: Promise<void> | undefined;

  constructor({ accessToken, refreshToken, onRefresh }: CustomerCredential) {
    this.pair = { accessToken, refreshToken };
    this.onRefresh = onRefresh;
  }

  get accessToken(): string {
    return this.pair.accessToken;
  }

  /** Sends with the current access token, and again with a new one if it has expired. */
  async use<Result>(
    send: (accessToken: string) => Promise<Result>,
    exchange: Exchange,
  ): Promise<Result> {
    const { accessToken } = this.pair;
    try {
      return await send(accessToken);
    } catch (error) {
      if (!isGatehouseError(error) || error.code !== "auth.credentials-expired") throw error;
    }
    // Another call may have refreshed the pair during this one.
    if (this.pair.accessToken === accessToken) {
      this.refreshing ??= this.refresh(exchange).finally(() => {
        this.refreshing = undefined;
      });
      await this.refreshing;
    }
    return send(this.pair.accessToken);
  }

  private async refresh(exchange: Exchange): Promise<void> {
    const { accessToken, refreshToken } = await exchange(this.pair.refreshToken);
    this.pair = { accessToken, refreshToken };
    await this.onRefresh?.(this.pair);
  }
}
