import { listBoxes, listProducts } from '@sathorn/api';
import { useRead } from '@sathorn/app/client';
import { useState } from 'react';
import { Chips } from '../parts/chips.tsx';
import { Money, Tag } from '../parts/parts.tsx';
import { ScrollRegion } from '../parts/scroll-region.tsx';
import { ReadGate } from '../parts/states.tsx';
import { useTexts } from '../parts/texts/index.ts';
import { PageHeader } from '../shell/page-header.tsx';
import { ProposeBox } from './rewards/propose-box.tsx';
import { ProposeLadder } from './rewards/propose-ladder.tsx';

/** The blind boxes and the check-in ladder: active ones, those that wait for approval, and proposal forms. */
export default function Rewards() {
  const { t } = useTexts();
  const boxes = useRead(listBoxes, {}, { everyMs: 10_000 });
  const [tab, setTab] = useState<'box' | 'ladder'>('box');
  return (
    <>
      <PageHeader title={t('nav.rewards')} isStale={boxes.isError} />
      <div className="page columns">
        <div className="col">
          <Waiting />
          <section className="card">
            <div className="hd">
              <h2>{t('rewards.boxes')}</h2>
            </div>
            <ReadGate query={boxes}>
              {({ lists }) => (
                <ScrollRegion label={t('rewards.boxes')}>
                  <table>
                    <thead>
                      <tr>
                        <th>{t('rewards.name')}</th>
                        <th>{t('rewards.state')}</th>
                        <th className="num">{t('rewards.price')}</th>
                        <th className="num">{t('rewards.drawn')}</th>
                        <th className="num">{t('rewards.paid')}</th>
                        <th>{t('rewards.beacon')}</th>
                        <th>{t('rewards.hash')}</th>
                      </tr>
                    </thead>
                    <tbody>
                      {lists.map((box) => (
                        <BoxRow key={box.id} box={box} />
                      ))}
                    </tbody>
                  </table>
                  {lists.length === 0 && <p className="foot c">{t('rewards.none')}</p>}
                </ScrollRegion>
              )}
            </ReadGate>
          </section>
        </div>
        <section className="card">
          <div className="hd">
            <h2>{t('rewards.propose')}</h2>
            <span className="row r">
              <Chips
                values={['box', 'ladder'] as const}
                value={tab}
                onChange={setTab}
                label={(name) => t(`rewards.${name}`)}
              />
            </span>
          </div>
          <div className="bd col">
            {tab === 'box' ? (
              <ProposeBox usualBeacon={boxes.data?.lists[0]?.beacon ?? 'quicknet'} />
            ) : (
              <ProposeLadder />
            )}
          </div>
        </section>
      </div>
    </>
  );
}

type Box = NonNullable<ReturnType<typeof useRead<typeof listBoxes>>['data']>['lists'][number];

function BoxRow({ box }: { box: Box }) {
  const { code, dateTime } = useTexts();
  return (
    <tr>
      <td className="b">{box.name}</td>
      <td>
        <Tag look={box.state === 'open' ? 'ok' : undefined}>{code('rewards.state', box.state)}</Tag>{' '}
        <span className="c">{dateTime(box.closes_at)}</span>
      </td>
      <td className="num">
        <Money of={box.price} />
      </td>
      <td className="num">
        {box.drawn} / {box.draws_max}
      </td>
      <td className="num">
        <Money of={box.paid.usdt} /> / <Money of={box.budget.usdt} />
      </td>
      <td>{box.beacon}</td>
      <td className="c">{box.signed.hash.slice(0, 12)}</td>
    </tr>
  );
}

/** Lists proposals waiting for a second person, and approved ones that have not started yet. */
function Waiting() {
  const { t, dateTime } = useTexts();
  const { data } = useRead(listProducts, {}, { everyMs: 5_000 });
  const rows = (data?.items ?? []).flatMap(({ kind, subject, waiting, scheduled }) => {
    const one = waiting ?? scheduled;
    return (kind === 'box' || kind === 'ladder') && one
      ? [{ kind, subject, from: one.effective_from, isWaiting: waiting !== null }]
      : [];
  });
  if (rows.length === 0) return null;
  return (
    <section className="card">
      <div className="bd col">
        {rows.map(({ kind, subject, from, isWaiting }) => (
          <p key={`${kind}/${subject}`} className="row sp">
            <b>{t(kind === 'box' ? 'rewards.box_place' : 'rewards.ladder', { place: subject })}</b>
            <span>
              <Tag look={isWaiting ? 'warn' : 'ok'}>{t(isWaiting ? 'rewards.waiting' : 'rewards.scheduled')}</Tag>{' '}
              {dateTime(from)}
            </span>
          </p>
        ))}
      </div>
    </section>
  );
}
