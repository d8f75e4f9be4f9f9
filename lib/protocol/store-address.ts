/** The user and password, the servers, and the rest of a connection string. */
const parts = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#@]+)(.*)$/i;
/** libpq's parameter: here the server that accepts writes is looked for in any case. */
const targetAttributes = /([?&])target_session_attrs=([^&#]*)(&?)/;
const acceptedTargets = ["any", "read-write", "primary"];

/** One connection string for each server that this one names, in its order. Throws in words, without the text: it is secret. */
export function splitHosts(connectionString: string): string[] {
  const target = targetAttributes.exec(connectionString)?.[2];
  if (target !== undefined && !acceptedTargets.includes(target))
    throw new Error(`target_session_attrs must be one of ${acceptedTargets.join(", ")}.`);
  const plain = connectionString.replace(targetAttributes, (_, before, __, after) =>
    after === "" ? "" : before,
  );
  const [, start = "", hosts = "", rest = ""] = parts.exec(plain) ?? [];
  const servers =
    hosts === "" ? [plain] : hosts.split(",").map((host) => `${start}${host || ":"}${rest}`);
  if (!servers.every((server) => URL.canParse(server)))
    throw new Error("it is no address such as postgres://user:password@host:5432/database.");
  return servers;
}
