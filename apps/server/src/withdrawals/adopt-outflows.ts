import { outputsOf } from '../chain/index.ts';
import { uuidOfName } from '../ledger/index.ts';
import { adoptOwnMove, listOwnMoves, listUnbooked, type Unbooked } from './restoration-store.ts';
import { finalReceipt } from './track-sendings.ts';
import { ADOPTED, FOUND } from './withdrawal-kinds.ts';
import type { WithdrawalChain, WithdrawalRoom } from './withdrawal-room.ts';

/**
 * Adopts what the chain has and this database did not know: gas for our own addresses and booked sweeps by itself, and
 * books what two people have decided. Each booking has an id of its transaction, so repeating it has no effect.
 */
export async function adoptOutflows(room: WithdrawalRoom, chain: WithdrawalChain, now: Date): Promise<void> {
  const { database, onFault } = room;
  for (const move of await listOwnMoves(database)) await adoptOwnMove(database, move).catch(onFault);
  for (const row of await listUnbooked(database)) await book(room, chain, row, now).catch(onFault);
}

async function book(
  { database, ledger, payees, changed }: WithdrawalRoom,
  { config, readers }: WithdrawalChain,
  { hash, withdrawal_id: withdrawal, customer_id: customer, payee_id }: Unbooked,
  at: Date,
): Promise<void> {
  const receipt = await finalReceipt(readers, hash, config.confirmations);
  const [outflow] = receipt
    ? outputsOf(receipt).filter(({ token, from }) => token === config.token && from === config.hot)
    : [];
  // A reorganisation has taken it back; the row stays and is booked when a block has it again.
  if (!receipt || !outflow) return;
  if (withdrawal !== null) {
    const intent = { id: uuidOfName(`adopted ${withdrawal}`), digest: ADOPTED.name };
    await ledger.post(ADOPTED, { id: withdrawal, at, place: receipt }, intent);
    await changed([withdrawal]);
    return;
  }
  const { to: address, units } = outflow;
  const holders = await payees.holdersOf(database, config.code, address);
  const holder = holders.find((one) => one.id === payee_id && one.customer === customer);
  if (!holder || customer === null) throw new Error(`the wallet ${address} is no payee of customer ${customer}`);
  const { opening } = holder;
  const command = { chain: config.code, hash, customer, address, units, opening, at };
  await ledger.post(FOUND, command, { id: uuidOfName(`found ${config.code} ${hash}`), digest: FOUND.name });
}
