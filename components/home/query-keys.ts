/** Where the notices of the home page are held in the query cache. */
export const noticesKey = (tenant: string) => [tenant, "notices"];
