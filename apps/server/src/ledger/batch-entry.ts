import type { Intent } from '../platform/intent.ts';
import type { HotKind } from './hot-kind.ts';
import type { VotedKind } from './loaded-kind.ts';

type AnyHotKind = HotKind<unknown, unknown, unknown, string>;

/** Any kind: plain, loaded, hot or voted. */
export type AnyKind = Omit<AnyHotKind, 'load' | 'speculate'> &
  Partial<Pick<AnyHotKind, 'load' | 'speculate'> & Pick<VotedKind<unknown, unknown, unknown, string>, 'vote'>>;

export interface BatchEntry {
  readonly kind: AnyKind;
  readonly command: unknown;
  readonly intent: Intent;
}
