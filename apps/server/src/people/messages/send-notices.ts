import { createHash, randomBytes } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Bus } from '../../platform/bus/index.ts';
import { type Database, isConnectionFault } from '../../platform/database/index.ts';
import { countUnreadOf, insertMessages, type NewMessage } from './message-store.ts';
import type { Messages } from './messages.ts';
import type { Template, Templates } from './templates.ts';

/** Length limit of names and devices, which come from outside. */
const PARAM_MAX = 200;
/** Text that a person wrote is stored in full; its call has its own limit. */
const TEXT_MAX = 2_000;
/** Rows per statement. */
const TOGETHER_MAX = 1_000;

interface Waiting {
  readonly row: NewMessage;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** Sends notices without wording them, so a small process needs no catalogues of six languages. */
export function openNotices({
  database,
  bus,
}: {
  readonly database: Database;
  readonly bus: Bus;
}): Pick<Messages, 'send'> {
  const keep = async (rows: readonly NewMessage[]): Promise<void> => {
    const owners = await insertMessages(database, rows);
    if (owners.size === 0) return;
    const unread = await countUnreadOf(database, owners);
    for (const owner of owners) bus.emit('messages', { owner, data: { unread: unread.get(owner) ?? 0 } });
  };

  let waiting: Waiting[] = [];
  let isKeeping = false;
  const keepWaiting = async (): Promise<void> => {
    isKeeping = true;
    await nextTurn();
    while (waiting.length > 0) {
      const batch = waiting.slice(0, TOGETHER_MAX);
      waiting = waiting.slice(TOGETHER_MAX);
      try {
        await keep(batch.map(({ row }) => row));
        for (const { resolve } of batch) resolve();
      } catch (error) {
        // One notice that cannot be stored must not fail the others, but an unavailable database fails all.
        if (batch.length === 1 || isConnectionFault(error)) for (const { reject } of batch) reject(error);
        else for (const { row, resolve, reject } of batch) await keep([row]).then(resolve, reject);
      }
    }
    isKeeping = false;
  };

  return {
    async send<Name extends Template>(owner: bigint, template: Name, params: Templates[Name], now: Date, of?: string) {
      const id = (of === undefined ? randomBytes(12) : digestOf(template, of)).toString('base64url');
      const cut = Object.fromEntries(
        Object.entries(params).map(([name, value]) => [
          name,
          String(value)
            .slice(0, name === 'text' ? TEXT_MAX : PARAM_MAX)
            .toWellFormed(),
        ]),
      );
      await new Promise<void>((resolve, reject) => {
        waiting.push({ row: { id, owner, template, params: cut, at: now }, resolve, reject });
        if (!isKeeping) void keepWaiting();
      });
    },
  };
}

const digestOf = (template: string, of: string): Buffer =>
  createHash('sha256').update(`${template} ${of}`).digest().subarray(0, 12);
