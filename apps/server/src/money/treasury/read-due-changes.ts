import type { ResultOf, readTreasury } from '@sathorn/api';
import { proposeOwnerChanges } from '@sathorn/treasury';
import { checksumAddressOf } from '../chain/index.ts';
import type { TreasuryModule } from './treasury.ts';
import type { TreasuryStateRow } from './treasury-state.ts';
import type { OwnerRow } from './treasury-store.ts';

/** The changes of owners that are due, and who may become an owner. */
export async function readDueChanges(
  { database, operators, demoOwner, workNameOf }: TreasuryModule,
  { owners }: TreasuryStateRow,
  known: ReadonlyMap<string, OwnerRow>,
): Promise<Pick<ResultOf<typeof readTreasury>, 'candidates' | 'due'>> {
  const colleagues = await operators.listColleagues(database, ['finance', 'compliance']);
  const candidates = colleagues.map(({ id, work_name }) => ({ id: String(id), work_name }));
  const withKeys = [];
  for (const { id } of colleagues) {
    const hasPasskey = (await operators.readP256Passkey(database, id)) !== null;
    if (hasPasskey || demoOwner !== null) withKeys.push({ operator: String(id), hasPasskey });
  }
  const counted = owners.map((address) => {
    const row = known.get(address);
    const operator = row?.operator ?? null;
    return {
      address,
      operator: operator === null ? null : String(operator),
      isDemo: row?.kind === 'demo',
      isColleague: colleagues.some(({ id }) => id === operator),
      isKeyRemoved: row?.is_key_removed ?? false,
    };
  });
  const staff = async (id: string | null) => (id === null ? null : { id, work_name: await workNameOf(BigInt(id)) });
  const ownerAt = async (address: string) => ({
    address: checksumAddressOf(address),
    operator: await staff(counted.find((one) => one.address === address)?.operator ?? null),
  });
  const due = proposeOwnerChanges(counted, withKeys).map(async ({ change, why, leaving, coming }) => ({
    change,
    why,
    leaving: leaving === null ? null : await ownerAt(leaving),
    coming: await staff(coming),
  }));
  return { candidates, due: await Promise.all(due) };
}
