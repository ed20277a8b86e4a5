import { listPublicPauses } from '@sathorn/api';
import { accept } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import type { PausesModule } from './pauses.ts';

export function listPublicPausesHandler({ api }: PausesModule): Handler {
  return handle(listPublicPauses, async ({ language }) =>
    accept((await api.open(language)).map(({ since, ...pause }) => ({ ...pause, since: since.toISOString() }))),
  );
}
