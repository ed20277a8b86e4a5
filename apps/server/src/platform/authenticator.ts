import { createHmac, randomBytes } from 'node:crypto';

/** RFC 6238 with the parameters of common authenticator apps: HMAC-SHA1, 30 seconds, six digits. */
export const CODE_STEP_SECONDS = 30;
const DIGITS = 6;
const KEY_BYTES = 20;
/** Phones' clocks are some seconds off, and people type a code just after it has changed. */
const STEPS_AROUND = 1;
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

export const newAuthenticatorKey = (): Buffer => randomBytes(KEY_BYTES);

/** RFC 4648 without padding, the form in which people type the key. */
export function encodeBase32(bytes: Buffer): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{1,5}/g) ?? []).map((five) => BASE32[Number.parseInt(five.padEnd(5, '0'), 2)]).join('');
}

export function authenticatorUri(key: Buffer, issuer: string, name: string): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(name)}`;
  return `otpauth://totp/${label}?${new URLSearchParams({ secret: encodeBase32(key), issuer })}`;
}

export const codeStepAt = (now: Date): number => Math.floor(now.getTime() / 1_000 / CODE_STEP_SECONDS);

/** RFC 4226's truncation of the HMAC over the counter. */
export function codeOfStep(key: Buffer, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', key).update(counter).digest();
  const offset = (mac.at(-1) ?? 0) & 0xf;
  return String((mac.readUInt32BE(offset) & 0x7fff_ffff) % 10 ** DIGITS).padStart(DIGITS, '0');
}

/** The step of this code, if it is later than the last used one; null for a wrong or used code. */
export function stepOfCode(key: Buffer, code: string, now: Date, usedStep: number): number | null {
  if (!/^[0-9]{6}$/.test(code)) return null;
  const step = codeStepAt(now);
  for (let near = step - STEPS_AROUND; near <= step + STEPS_AROUND; near++)
    if (near > usedStep && codeOfStep(key, near) === code) return near;
  return null;
}
