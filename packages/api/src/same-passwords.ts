/** A new password is typed twice; the refusal is `passwords_differ`, of the second. */
export const samePasswords = <T extends { password: string; confirm: string }>(input: T): boolean =>
  input.password === input.confirm;
