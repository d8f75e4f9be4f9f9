/** The same for people. */
export const bearerDeprecationNote = "deprecated here, accepted until 20 November 2027";

/** What answers to the management bearer carry where it is deprecated (RFC 9745, RFC 8594): errors too. */
export const bearerDeprecation = {
  Deprecation: "@1795132800",
  Sunset: "Sat, 20 Nov 2027 00:00:00 GMT",
  Link: '</docs/put-pim-preview-key-configuration#call>; rel="deprecation"; type="text/html"',
};
