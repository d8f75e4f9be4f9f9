/** Why an operation accepts no API key, not even one that names its permission: ends a sentence after "because". */
export const sessionOnlyReasons = {
  ownAccount: "it concerns the person who is signed in",
  accessRequest: "a person asks for access, and a person decides about it",
  keys: "a key could create its own successor, or lift its own limits",
  passwordLink: "whoever has the link can sign in as the user",
  secondFactors: "without a second factor the password alone signs in as the user",
  securityPolicy: "the policy decides how long API keys live",
  emergencyAdministrators: "whoever names them decides who can always sign in",
  connection: "whoever decides where people sign in can sign in as them",
  auditStream: "a stream sends the whole trail, with personal data, out of the service",
  savedView: "a saved view belongs to the pages of the person who is signed in",
  comment: "a comment is what a person says",
  platform: "only the people who run the installation may call it",
} as const;

export type SessionOnlyReason = keyof typeof sessionOnlyReasons;
