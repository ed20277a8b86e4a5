import type { OperatorRole } from '@sathorn/api';
import type { LoadPart } from '@sathorn/app/late';
import type { IconName } from '@sathorn/ui';
import type { TextKey } from '../parts/texts/index.ts';

export interface Page {
  readonly name: string;
  readonly title: TextKey;
  readonly icon: IconName;
  /** Follows `g`. */
  readonly letter: string;
  readonly group: TextKey | null;
  readonly roles: readonly OperatorRole[];
  /** The queue of the dashboard whose count stands beside it. */
  readonly queue: string | null;
  readonly load: LoadPart;
}
