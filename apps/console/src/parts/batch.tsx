import type { Call, RequestOf, ResultOf } from '@sathorn/api';
import { callServer, createIntentKey, queryClient } from '@sathorn/app/client';
import { Button } from '@sathorn/ui';
import { useRef, useState } from 'react';
import { type ActResult, refusedActOf } from '../use-act.ts';
import { Tag } from './parts.tsx';
import { ReasonDialog } from './reason-dialog.tsx';
import { useTexts } from './texts/index.ts';

export const MARKED_CASES_MAX = 20;

/** Makes one call with its own idempotency key. A retry after a lost answer reuses the key. */
export type SendCall = <C extends Call>(call: C, request: RequestOf<C>) => Promise<ActResult<ResultOf<C>>>;

/** An action on several cases at once. It must never move or hold money, or decide about a person. */
export interface BatchAct<Item> {
  readonly name: string;
  readonly label: string;
  readonly needsReason?: boolean;
  run(item: Item, send: SendCall, reason: string): Promise<ActResult<unknown>>;
}

type Outcome = 'waits' | 'done' | { readonly code: string; readonly message: string };

/** Runs an action on the marked rows and shows each result. Each row has its own call, key and log entry. */
export function Batch<Item extends { readonly id: string }>({
  marked,
  acts,
  nameOf,
  onClear,
}: {
  marked: readonly Item[];
  acts: readonly BatchAct<Item>[];
  nameOf: (item: Item) => string;
  onClear: () => void;
}) {
  const { t } = useTexts();
  const [outcomes, setOutcomes] = useState<ReadonlyMap<string, Outcome>>(new Map());
  const [asking, setAsking] = useState<BatchAct<Item> | null>(null);
  const [isBusy, setBusy] = useState(false);
  const keys = useRef(new Map<string, ReturnType<typeof createIntentKey>>());
  const run = async (act: BatchAct<Item>, reason: string) => {
    setBusy(true);
    const found = new Map<string, Outcome>(marked.map(({ id }) => [id, 'waits']));
    setOutcomes(new Map(found));
    for (const item of marked) {
      const send: SendCall = async (call, request) => {
        const of = `${act.name} ${item.id} ${call.path}`;
        const key = keys.current.get(of) ?? createIntentKey();
        keys.current.set(of, key);
        const answer = await callServer(call, request, { idempotencyKey: key.keyFor(JSON.stringify(request)) });
        if (answer.ok || answer.isAnswered) keys.current.delete(of);
        return answer.ok ? { ok: true, data: answer.data } : { ok: false, refused: refusedActOf(answer) };
      };
      const done = await act.run(item, send, reason);
      found.set(item.id, done.ok ? 'done' : done.refused);
      setOutcomes(new Map(found));
    }
    setBusy(false);
    void queryClient.invalidateQueries();
  };
  return (
    <section className="batch" aria-label={t('batch.marked', { count: marked.length })}>
      <div className="row wrap">
        <b className="sm">{t('batch.marked', { count: marked.length })}</b>
        {acts.map((act) => (
          <Button
            key={act.name}
            size="small"
            look="soft"
            busy={isBusy}
            onClick={() => (act.needsReason ? setAsking(act) : void run(act, ''))}
          >
            {act.label}
          </Button>
        ))}
        <Button
          size="small"
          look="plain"
          onClick={() => {
            setOutcomes(new Map());
            onClear();
          }}
        >
          {t('batch.clear')}
        </Button>
      </div>
      {outcomes.size > 0 && (
        <ul className="plain sm" role="status">
          {marked.map((item) => {
            const outcome = outcomes.get(item.id);
            return (
              outcome && (
                <li key={item.id} className="row sp">
                  <bdi>{nameOf(item)}</bdi>
                  {typeof outcome === 'string' ? (
                    <Tag look={outcome === 'done' ? 'ok' : undefined}>{t(`batch.${outcome}`)}</Tag>
                  ) : (
                    <span>
                      <span className="da">{outcome.message}</span> <span className="c">{outcome.code}</span>
                    </span>
                  )}
                </li>
              )
            );
          })}
        </ul>
      )}
      {asking && (
        <ReasonDialog
          title={`${asking.label}: ${t('batch.marked', { count: marked.length })}`}
          refused={null}
          isBusy={isBusy}
          onSend={async (reason) => {
            void run(asking, reason);
            return true;
          }}
          onClose={() => setAsking(null)}
        />
      )}
    </section>
  );
}
