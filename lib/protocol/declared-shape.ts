/**
 * Every member of an operation, in one order. What a declaration leaves out is there as undefined: each request reads its operation, and
 * the engine reads one shape of objects several times as fast as two hundred. Typed as nothing, for a member that is left out is optional.
 */
export const unset: object = {
  operation: undefined,
  summary: undefined,
  credentials: undefined,
  description: undefined,
  codes: undefined,
  permission: undefined,
  keyRule: undefined,
  query: undefined,
  body: undefined,
  example: undefined,
  isBodyOptional: undefined,
  answer: undefined,
  replay: undefined,
  conditional: undefined,
  stepUp: undefined,
  deprecatedCredential: undefined,
  plane: undefined,
  status: undefined,
  consumes: undefined,
  produces: undefined,
  scope: undefined,
  profile: undefined,
  isTenantWide: undefined,
  requires: undefined,
  worksBeforePasswordChange: undefined,
  limits: undefined,
};

/** Every member of its limits, likewise. */
export const unlimited: object = {
  body: undefined,
  address: undefined,
  tenant: undefined,
  own: undefined,
  items: undefined,
  isOneAtATime: undefined,
};
