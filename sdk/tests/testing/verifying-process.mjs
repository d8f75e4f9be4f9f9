// A verifier in a separate process: reads "<id> <API key>" line by line, and answers "<id> <code>".
import { createInterface } from "node:readline";

const [, , client, url, tenant, apiKey] = process.argv;
const { createClient } = await import(client);
const verifier = createClient({ url, tenant }).verifier({ apiKey, reportIntervalMs: 600_000 });

for await (const line of createInterface({ input: process.stdin })) {
  const [id, secret] = line.split(" ");
  verifier.verify({ apiKey: secret, wholeTenant: true }).then(
    ({ code }) => process.stdout.write(`${id} ${code}\n`),
    (error) => process.stdout.write(`${id} ${error.code}\n`),
  );
}
await verifier.close();
