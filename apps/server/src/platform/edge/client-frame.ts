import { isUtf8 } from 'node:buffer';
import type { ClientFrame } from '@sathorn/api';
import * as v from 'valibot';

const short = (max: number) => v.pipe(v.string(), v.minLength(1), v.maxLength(max));
const reader = {
  lang: v.optional(v.pipe(v.string(), v.maxLength(35))),
  presentation: v.optional(v.pipe(v.string(), v.maxLength(120))),
};

const clientFrame = v.variant('op', [
  v.object({ op: v.literal('auth'), token: short(256), ...reader }),
  v.object({
    op: v.literal('auth'),
    key: short(64),
    time: short(16),
    nonce: short(64),
    signature: short(128),
    ...reader,
  }),
  v.object({
    op: v.picklist(['subscribe', 'unsubscribe']),
    topics: v.pipe(v.array(v.pipe(v.string(), v.maxLength(64))), v.maxLength(64)),
  }),
  v.object({ op: v.literal('ping') }),
]);

/** Null if the bytes are not a valid client frame. */
export function readClientFrame(bytes: Buffer): ClientFrame | null {
  if (!isUtf8(bytes)) return null;
  try {
    const parsed = v.safeParse(clientFrame, JSON.parse(bytes.toString()));
    return parsed.success ? parsed.output : null;
  } catch {
    return null;
  }
}
