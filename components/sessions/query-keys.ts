/** The keys of sessions in the query cache. */
export const sessionKeys = {
  own: (tenant: string) => [tenant, "sessions"],
  ofUser: (tenant: string, userId: string) => [tenant, "user-sessions", userId],
};
