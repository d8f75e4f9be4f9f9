/** The keys of second factors in the query cache. */
export const secondFactorKeys = { own: (tenant: string) => [tenant, "second-factors"] };
