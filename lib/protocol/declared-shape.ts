/**
 * Every field of an operation, in a fixed order. Omitted fields are set to undefined: each request reads its operation, and the engine
 * reads one object shape several times as fast as two hundred. Typed as an empty object, because omitted fields are optional.
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

/** Every field of its limits, likewise. */
export const unlimited: object = {
  body: undefined,
  address: undefined,
  tenant: undefined,
  own: undefined,
  items: undefined,
  isOneAtATime: undefined,
};
