import { describe, expect, test } from "vitest";
import { splitHosts } from "./setting-formats";

describe("an address of the store", () => {
  test.each([
    ["postgres://u:p@a:5432/db", ["postgres://u:p@a:5432/db"]],
    [
      "postgres://u:p%40,x@a:5432,b:5433,[::1]:5434/db?sslmode=require",
      [
        "postgres://u:p%40,x@a:5432/db?sslmode=require",
        "postgres://u:p%40,x@b:5433/db?sslmode=require",
        "postgres://u:p%40,x@[::1]:5434/db?sslmode=require",
      ],
    ],
    [
      "postgresql://a,b/db?target_session_attrs=read-write&sslmode=require",
      ["postgresql://a/db?sslmode=require", "postgresql://b/db?sslmode=require"],
    ],
    [
      "postgres://a,b/db?x=1&target_session_attrs=primary",
      ["postgres://a/db?x=1", "postgres://b/db?x=1"],
    ],
    ["postgres:///db?host=/tmp", ["postgres:///db?host=/tmp"]],
  ])("%s lists each of its servers", (text, servers) => {
    expect(splitHosts(text)).toEqual(servers);
  });

  test.each([
    ["postgres://a,b/db?target_session_attrs=standby", "target_session_attrs must be one of"],
    ["postgres://secret@a:5432,b:many/db", "it is no address such as postgres:"],
    ["postgres://a,,b/db", "it is no address such as postgres:"],
    ["secret", "it is no address such as postgres:"],
  ])("%s is rejected with a message, without the text", (text, words) => {
    expect(() => splitHosts(text)).toThrow(words);
    expect(() => splitHosts(text)).not.toThrow(/secret/);
  });
});
