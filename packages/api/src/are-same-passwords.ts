/** True if both typed passwords are equal. Otherwise the second field gets the refusal `passwords_differ`. */
export const areSamePasswords = <T extends { password: string; confirm: string }>(input: T): boolean =>
  input.password === input.confirm;
