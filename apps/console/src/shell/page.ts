import type { OperatorRole } from '@sathorn/api';
import type { LoadPart } from '@sathorn/app/late';
import type { IconName } from '@sathorn/ui';
import type { TextKey } from '../parts/texts/index.ts';

export interface Page {
  readonly name: string;
  readonly title: TextKey;
  readonly icon: IconName;
  /** Typing `g` and then this letter opens the page. */
  readonly letter: string;
  readonly group: TextKey | null;
  readonly roles: readonly OperatorRole[];
  /** The dashboard's queue whose count is shown beside the link. */
  readonly queue: string | null;
  readonly load: LoadPart;
}
