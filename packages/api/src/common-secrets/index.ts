// What is refused as too easy to guess: by the server, and before that by the app itself, so that all that is wrong is
// told at once. A door of its own: the words weigh more than all calls together.
export { COMMON_PASSWORDS, isCommonPassword, type PasswordContext } from './common-password.ts';
export { isCommonPin, type PinContext } from './common-pin.ts';
