import type { TradeView } from '@sathorn/api';
import { formatDate } from '@sathorn/text';
import { Card, CardHead, Icon, Skeleton, useText } from '@sathorn/ui';
import { memo } from 'react';
import { priceFigure, quantityFigure } from './contract-figures.ts';
import { useTapeStore } from './use-book.ts';
import './tape.css';

const LENGTH = 12;
const ROWS = Array.from({ length: LENGTH }, (_, row) => row);
const ROW_HEIGHT = 26;

/** Grows by four rows at a time, so that the content below rarely moves. */
const rowsFor = (trades: number): number => Math.min(LENGTH, Math.ceil((trades + 2) / 4) * 4);

/** The book's public tape, newest first. Trades with the house's market maker are marked. */
export function Tape({ code, onAboutMaker }: { code: string; onAboutMaker: () => void }) {
  const { t } = useText<'contracts'>();
  const tape = useTapeStore((tapes) => tapes[code])?.slice(0, LENGTH);
  const rows = tape ? rowsFor(tape.length) : LENGTH;
  return (
    <Card className="tape">
      <CardHead title={t('contracts.tape')} />
      <div className="tape-row cap" aria-hidden="true">
        <span>{t('contracts.column_time')}</span>
        <span>{t('contracts.column_price')}</span>
        <span>{t('contracts.column_quantity')}</span>
      </div>
      <div className="tape-rows" style={{ minBlockSize: rows * ROW_HEIGHT }}>
        <ol className="num">
          {ROWS.slice(0, tape?.length).map((row) => {
            const trade = tape?.[row];
            return trade ? (
              // The key is the position: rows stay in place and only their figures change.
              <Trade key={row} code={code} trade={trade} />
            ) : (
              <li key={row} className="tape-row" aria-hidden="true">
                <Skeleton height={12} />
              </li>
            );
          })}
        </ol>
        {tape && tape.length < LENGTH - 1 && (
          <p className="tape-quiet muted">{t(tape.length === 0 ? 'contracts.tape_empty' : 'contracts.tape_quiet')}</p>
        )}
      </div>
      <button type="button" className="tape-legend" onClick={onAboutMaker}>
        <Icon name="company" size={15} />
        <span>{t('contracts.house')}</span>
        <Icon name="forward" size={14} flip />
      </button>
    </Card>
  );
}

const Trade = memo(function Trade({ code, trade }: { code: string; trade: TradeView }) {
  const { t, presentation } = useText<'contracts'>();
  return (
    <li className="tape-row">
      <bdi dir="ltr" className="tape-time">
        {formatDate(trade.at, 'seconds', presentation)}
      </bdi>
      <span className={trade.side === 'buy' ? 'tape-price rise' : 'tape-price fall'}>
        <Icon name={trade.side === 'buy' ? 'arrow-up' : 'arrow-down'} size={11} />
        <span className="unseen">{t(trade.side === 'buy' ? 'contracts.bought' : 'contracts.sold')}</span>
        <bdi dir="ltr">{priceFigure(code, trade.price, presentation)}</bdi>
      </span>
      <span className="tape-quantity">
        {trade.house && (
          <span className="tape-house">
            <Icon name="company" size={13} />
            <span className="unseen">{t('contracts.house')}</span>
          </span>
        )}
        <bdi dir="ltr">{quantityFigure(code, trade.quantity, presentation)}</bdi>
      </span>
    </li>
  );
});
