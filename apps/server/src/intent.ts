import assert from 'node:assert';
import { hash } from 'node:crypto';

/** Who asked and for what: the idempotency id, and a digest of the request's content. */
export interface Intent {
  /** UUID. The same id with the same digest gets the first answer again. */
  readonly id: string;
  readonly digest: string;
}

/** RFC 9562 name-based ids of this platform's requests. */
const NAMESPACE = Buffer.from('6f2b1c9e0f5d5b0a9d3c7a4e53617468', 'hex');
/** The two highest bits of the variant's digit are `10`; the others come from the digest. */
const VARIANTS = ['8', '9', 'a', 'b'];

/** Namespace and name in one piece, written anew for each: the names below are far shorter. */
const scratch = Buffer.alloc(1024);
NAMESPACE.copy(scratch);

/** UUID version 5 (SHA-1 over a namespace and a name). */
export function uuidOfName(name: string): string {
  assert(name.length * 3 < scratch.length - NAMESPACE.length, 'a short name');
  const end = NAMESPACE.length + scratch.write(name, NAMESPACE.length);
  const digest = hash('sha1', scratch.subarray(0, end), 'hex');
  const variant = VARIANTS[digest.charCodeAt(16) & 3];
  return `${digest.slice(0, 8)}-${digest.slice(8, 12)}-5${digest.slice(13, 16)}-${variant}${digest.slice(17, 20)}-${digest.slice(20, 32)}`;
}
