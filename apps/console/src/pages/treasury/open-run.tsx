import { openTreasuryRun, type RunLineView } from '@sathorn/api';
import { Button } from '@sathorn/ui';
import { useState } from 'react';
import { Money } from '../../parts/parts.tsx';
import { EmptyState, RefusalNote } from '../../parts/states.tsx';
import { useAct } from '../../use-act.ts';
import { LinesTable } from './lines-table.tsx';
import { useTreasuryTexts } from './texts.ts';

/** The withdrawals that wait for a run. Each is chosen until somebody takes it out. */
export function OpenRun({
  waiting,
  topUp,
  mayOpen,
}: {
  waiting: readonly RunLineView[];
  topUp: string | null;
  mayOpen: boolean;
}) {
  const { say } = useTreasuryTexts();
  const open = useAct(openTreasuryRun);
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [hasTopUp, setTopUp] = useState(true);
  const chosen = waiting.flatMap(({ withdrawal }) => (withdrawal && !left.has(withdrawal.id) ? [withdrawal.id] : []));
  const count = chosen.length + (topUp !== null && hasTopUp ? 1 : 0);
  const toggle = (id: string) => {
    const next = new Set(left);
    if (!next.delete(id)) next.add(id);
    setLeft(next);
  };
  return (
    <section className="card">
      <div className="hd">
        <h2>{say('waiting')}</h2>
      </div>
      {waiting.length === 0 ? (
        <EmptyState title={say('nothing')} />
      ) : (
        <LinesTable
          label={say('waiting')}
          lines={waiting}
          choice={({ withdrawal }) =>
            withdrawal && (
              <input
                type="checkbox"
                aria-label={withdrawal.order_number}
                checked={!left.has(withdrawal.id)}
                onChange={() => toggle(withdrawal.id)}
              />
            )
          }
        />
      )}
      {mayOpen && (waiting.length > 0 || topUp !== null) && (
        <div className="bd col">
          {topUp !== null && (
            <label className="row">
              <input type="checkbox" checked={hasTopUp} onChange={() => setTopUp(!hasTopUp)} />
              <span>
                {say('top_up.add', { amount: '' })} <Money of={topUp} /> USDT
              </span>
            </label>
          )}
          <div>
            <Button
              size="small"
              busy={open.isBusy}
              disabled={count === 0}
              onClick={() =>
                void open.run({
                  withdrawals: chosen.join(','),
                  ...(topUp !== null && hasTopUp && { top_up: topUp }),
                })
              }
            >
              {say('open', { count: String(count) })}
            </Button>
          </div>
          <RefusalNote refused={open.refused} />
        </div>
      )}
    </section>
  );
}
