import { listRates } from '@sathorn/api';
import { accept } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import type { Content } from './content.ts';

const RATES_ROWS = 20;

export function listRatesHandler(content: Content): Handler {
  return handle(listRates, async ({ request }) => accept(await content.rates.list(request.code)), {
    rowsOf: () => RATES_ROWS,
  });
}
