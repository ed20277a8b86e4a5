// Rejects passwords that are too easy to guess. The server uses it, and the app uses it first so that all faults are
// shown at once. It has its own entry point because the word list is larger than all calls together.
export { COMMON_PASSWORDS, isCommonPassword } from './common-password.ts';
export { isCommonPin } from './common-pin.ts';
