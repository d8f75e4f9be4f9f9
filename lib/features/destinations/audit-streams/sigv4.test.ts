import { expect, test } from "vitest";
import { encoded, sha256Hex, signedHeaders } from "./transport";

/** "Examples: Signature Calculations in AWS Signature Version 4" of the documentation of Amazon S3. */
const exampleKey = {
  accessKeyId: "AKIAIOSFODNN7EXAMPLE",
  secretAccessKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
};
const scope = { region: "us-east-1", service: "s3", at: new Date("2013-05-24T00:00:00Z") };
const host = "https://examplebucket.s3.amazonaws.com";

const published = [
  {
    name: "GET object",
    method: "GET",
    url: `${host}/test.txt`,
    headers: { range: "bytes=0-9" },
    body: "",
    signature: "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41",
  },
  {
    name: "PUT object",
    method: "PUT",
    url: `${host}/${encoded("test$file.text")}`,
    headers: {
      date: "Fri, 24 May 2013 00:00:00 GMT",
      "x-amz-storage-class": "REDUCED_REDUNDANCY",
    },
    body: "Welcome to Amazon S3.",
    signature: "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd",
  },
  {
    name: "GET bucket lifecycle",
    method: "GET",
    url: `${host}/?lifecycle`,
    headers: {},
    body: "",
    signature: "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543",
  },
  {
    name: "GET bucket, list objects",
    method: "GET",
    url: `${host}/?max-keys=2&prefix=J`,
    headers: {},
    body: "",
    signature: "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7",
  },
];

test.each(published)("the published example $name", ({ method, url, headers, body, signature }) => {
  const all: Record<string, string> = { ...headers, "x-amz-content-sha256": sha256Hex(body) };
  const request = { method, url: new URL(url), headers: all, body };
  const { authorization } = signedHeaders(request, exampleKey, scope);
  expect(authorization).toMatch(new RegExp(`Signature=${signature}$`));
  expect(authorization).toContain(
    "Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request",
  );
});

test("get-vanilla of the published test suite", () => {
  const request = {
    ...{ method: "GET", url: new URL("https://example.amazonaws.com/"), headers: {}, body: "" },
  };
  const key = {
    accessKeyId: "AKIDEXAMPLE",
    secretAccessKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY",
  };
  const at = new Date("2015-08-30T12:36:00Z");
  const signed = signedHeaders(request, key, { region: "us-east-1", service: "service", at });
  expect(signed.authorization).toBe(
    "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request,SignedHeaders=host;x-amz-date,Signature=5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31",
  );
});
