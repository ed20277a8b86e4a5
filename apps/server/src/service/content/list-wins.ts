import { listWins } from '@sathorn/api';
import { accept } from '@sathorn/settlement';
import { type CallContext, type Handler, handle } from '../../platform/edge/index.ts';
import type { Content } from './content.ts';
import { maskName } from './mask-name.ts';

const WINS_ROWS = 100;

/** No wins are invented: without winners who agreed to be shown, the list is empty. */
export function listWinsHandler(content: Content): Handler {
  const read = async ({ now }: CallContext<typeof listWins>) => {
    const wins = await content.recentWins(now);
    return accept(
      wins.map(({ name, coin, amount, at }) => ({
        name: maskName(name),
        kind: 'option',
        coin,
        amount,
        at: at.toISOString(),
      })),
    );
  };
  return handle(listWins, read, { rowsOf: () => WINS_ROWS });
}
