import { expect, test } from "vitest";
import { checkNewPassword } from "./passwords";

const refusal = (password: string, login = "ada") => {
  try {
    checkNewPassword("management", password, login);
    return undefined;
  } catch (error) {
    return String(error);
  }
};

test.each([
  "x".repeat(15),
  " ".repeat(15),
  "1".repeat(20),
  "😀".repeat(128),
  "adaadaadaadaada",
  "correct horse battery",
])("%j will do", (password) => {
  expect(refusal(password)).toBeUndefined();
});

test.each([
  "passwordpassword",
  "PasswordPassword",
  "123456789012345",
  "12345678901234567890",
  "qwertyuiopasdfgh",
  "1q2w3e4r5t6y7u8i",
  "changemechangeme",
])("%s is on the list", (password) => {
  expect(refusal(password)).toContain("list of common passwords");
});

test("length is counted in code points, and nothing else is asked for but that it is not the login", () => {
  expect([refusal("😀".repeat(14)), refusal("x".repeat(129))]).toEqual([
    expect.stringContaining("at least 15"),
    expect.stringContaining("at most 128"),
  ]);
  expect(refusal("ada@example.com", "Ada@example.com")).toContain("made of the login");
});
