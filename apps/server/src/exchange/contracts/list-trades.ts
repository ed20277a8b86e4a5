import { listTrades } from '@sathorn/api';
import { accept } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/handle.ts';
import type { Contracts } from './contracts.ts';
import { readTapePage } from './list-page.ts';

const LIMIT_DEFAULT = 50;

export function listTradesHandler(contracts: Contracts): Handler {
  return handle(
    listTrades,
    async ({ request: { code, limit, page } }) =>
      accept(await contracts.tape(code, page ?? null, limit ?? LIMIT_DEFAULT)),
    {
      // Skipped rows count too, because they are read as well.
      rowsOf: ({ page, limit = LIMIT_DEFAULT }) => limit + readTapePage(page ?? null, limit).skip,
    },
  );
}
