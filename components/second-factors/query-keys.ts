/** Where the second factors are held in the query cache. */
export const secondFactorKeys = { own: (tenant: string) => [tenant, "second-factors"] };
