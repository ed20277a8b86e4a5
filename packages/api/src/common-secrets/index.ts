// Passwords that are rejected as too easy to guess: by the server, and before that by the app itself, so that all
// faults are shown at once. A separate entry point, because the word list is larger than all calls together.
export { COMMON_PASSWORDS, isCommonPassword, type PasswordContext } from './common-password.ts';
export { isCommonPin, type PinContext } from './common-pin.ts';
