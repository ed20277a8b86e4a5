import { listLiabilities, readOwnLiability } from '@sathorn/api';
import { accept } from '@sathorn/settlement';
import type { Queries } from '../../platform/database/index.ts';
import { allowOnAnyClock, type Handler, handle } from '../../platform/edge/index.ts';
import { readLiabilitiesRows, readOwnLiability as readOwn } from './liability-store.ts';

const PAGE = 24;

export const liabilityCalls = (database: Queries): Handler[] =>
  allowOnAnyClock(
    handle(readOwnLiability, async ({ customer }) => accept((await readOwn(database, customer.id)) ?? null)),
    handle(
      listLiabilities,
      async ({ request: { page } }) => {
        const rows = await readLiabilitiesRows(database, PAGE, page === undefined ? null : BigInt(page));
        const last = rows.length === PAGE ? rows.at(-1) : undefined;
        return accept({
          items: rows.map(({ signed }) => signed),
          next: last === undefined ? null : String(last.sequence),
        });
      },
      { rowsOf: () => PAGE },
    ),
  );
