import type { Intent } from '../platform/intent.ts';
import type { HotKind } from './hot-kind.ts';

type AnyHotKind = HotKind<unknown, unknown, unknown, string>;

/** A hot kind or a plain one. */
export type AnyKind = Omit<AnyHotKind, 'load'> & Partial<Pick<AnyHotKind, 'load'>>;

export interface Entry {
  readonly kind: AnyKind;
  readonly command: unknown;
  readonly intent: Intent;
}
