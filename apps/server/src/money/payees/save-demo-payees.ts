import { createHash, randomBytes } from 'node:crypto';
import { readEvmAddress } from '@sathorn/identity';
import type { Database } from '../../platform/database/index.ts';
import type { Sealer } from '../../platform/sealing.ts';
import { addressCommitmentOf, digestOfCard, digestOfWallet, payeeSealContext } from './payee.ts';
import { insertPayee } from './payee-store.ts';

export interface DemoHolder {
  readonly realName: string;
  readonly email: string;
}
const NICHA: DemoHolder = { realName: 'Nicha Phromsiri', email: 'nicha@demo.example' };

/** Nobody has the key of these addresses, so what a demo sends there cannot be moved. */
function addressOf(holder: DemoHolder): string {
  if (holder === NICHA) return '0x5a7406e0000000000000000000000000000de305';
  return `0x${createHash('sha256').update(`demo wallet ${holder.email}`).digest('hex').slice(0, 40)}`;
}
/** Ten digits with a beginning that no real account has. */
function accountOf(holder: DemoHolder): string {
  if (holder === NICHA) return '0001234564';
  return `000${BigInt(`0x${createHash('sha256').update(holder.email).digest('hex')}`) % 10_000_000n}`.padEnd(10, '0');
}
const AGE_MS = 30 * 24 * 3_600_000;

/**
 * A wallet on the local chain and a bank card, both a month old, so that a demo customer can withdraw without the first
 * day's wait.
 */
export async function saveDemoPayees(
  database: Database,
  sealer: Sealer,
  {
    customer,
    chain,
    now,
    holder = NICHA,
  }: { customer: bigint; chain: string; now: Date; holder?: DemoHolder | undefined },
): Promise<void> {
  const read = readEvmAddress(addressOf(holder));
  if (!read.ok) throw new Error('the demo wallet has no valid address');
  const wallet = { coin: 'USDT', chain, address: read.address };
  const card = {
    realName: holder.realName,
    ifsc: '0001',
    bank: 'KBANK',
    number: accountOf(holder),
    phone: '0812345678',
    email: holder.email,
  } as const;
  const entries = [
    { kind: 'wallet', name: 'กระเป๋าเดโม', secret: wallet, digest: digestOfWallet(sealer, wallet) },
    { kind: 'card', name: 'KBANK เดโม', secret: card, digest: digestOfCard(sealer, card) },
  ] as const;
  await database.transaction(async (transaction) => {
    for (const { kind, name, secret, digest } of entries) {
      const row = {
        id: randomBytes(16).toString('base64url'),
        owner: customer,
        kind,
        added_at: new Date(now.getTime() - AGE_MS),
      };
      const sealed = sealer.seal(customer, payeeSealContext(row), Buffer.from(JSON.stringify(secret)));
      const commitment = 'address' in secret ? addressCommitmentOf(sealer, row.id, secret) : null;
      await insertPayee(transaction, { ...row, name, place: 0, sealed, digest, commitment, intent: null });
    }
  });
}
