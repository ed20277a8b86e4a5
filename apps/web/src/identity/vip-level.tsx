import { listLevels, type ResultOf, readLevel } from '@sathorn/api';
import { useRead } from '@sathorn/app/client';
import { PageBar } from '@sathorn/app/shell';
import { formatMoney, money, parseMoney } from '@sathorn/money';
import { formatCompact, formatCount, formatDecimalText, formatPercent } from '@sathorn/text';
import { Card, Icon, ProgressBar, useText } from '@sathorn/ui';
import { withoutTrailingZeros } from '../parts/market/asset-figure.ts';
import { MoneyNote } from '../parts/money/note.tsx';
import { IdentityTexts } from './identity-texts.tsx';
import './vip-level.css';
import { LateNotes } from '../parts/offer/late-notes.tsx';
import { NotLoaded } from '../parts/read/not-loaded.tsx';

type Level = ResultOf<typeof listLevels>[number] & {
  /** The amount at which the level begins: the previous level's value, or 20 for the first (specification). */
  readonly realValue: string;
};
const FIRST_VALUE = '20.000000';

const levelsOf = (listed: ResultOf<typeof listLevels>): Level[] =>
  listed.map((level, n) => ({ ...level, realValue: listed[n - 1]?.value ?? FIRST_VALUE }));

/** `#/pages/mine/vipLevel`: the VIP levels and the customer's progress. */
export default function VipLevel() {
  return (
    <IdentityTexts>
      <Levels />
    </IdentityTexts>
  );
}

const units = (amount: string): bigint => parseMoney('USDT', amount)?.units ?? 0n;
/** Returns the position of `at` between two amounts, from 0 to 1. */
function shareOf(at: bigint, from: bigint, to: bigint): number {
  if (to <= from) return 1;
  return Math.max(0, Math.min(1, Number(((at - from) * 1_000n) / (to - from)) / 1_000));
}

function Levels() {
  const texts = useText();
  const { t, presentation } = useText<'identity'>();
  const listed = useRead(listLevels, {}, { freshForMs: 600_000 });
  const own = useRead(readLevel, {});
  const error = [listed, own].find((read) => read.error && !read.data)?.error;
  const bar = <PageBar title={texts.t('screen.vip')} />;
  if (!listed.data || !own.data)
    return (
      <>
        <div className="vip-hero">
          {bar}
          <div className="vip-waiting" />
        </div>
        <div className="page vip-page">
          <Card>
            <NotLoaded
              read={{
                error,
                refetch: () => {
                  void listed.refetch();
                  void own.refetch();
                },
              }}
              failed={texts.t('mine.failed')}
            />
          </Card>
        </div>
      </>
    );
  const levels = levelsOf(listed.data);
  const { level, deposited, waiting, held_days: heldDays, next_value: next } = own.data;
  const here = levels.find((other) => other.level === level);
  const from = here?.realValue ?? '0.000000';
  const share = next === null ? 1 : shareOf(units(deposited), units(from), units(next));
  const missing = next === null ? '0' : formatMoney(money('USDT', units(next) - units(deposited)));
  const days = formatCount(heldDays, presentation);
  const amount = (text: string) => formatDecimalText(withoutTrailingZeros(text), presentation);
  const share2 = (rate: string) => formatPercent(rate, presentation, { minDecimals: 2, maxDecimals: 2 });
  return (
    <>
      <section className="vip-hero">
        {bar}
        <div className="row">
          <div>
            <h2>{level > 0 ? t('vip.level', { level: formatCount(level, presentation) }) : t('vip.none')}</h2>
            <p className="num">{t('vip.from', { amount: amount(deposited), days })}</p>
          </div>
          <Icon name="crown" size={30} />
        </div>
        <ol className="vip-bars num" dir="ltr" aria-label={t('vip.chart')}>
          {levels.map((other, n) => (
            <li key={other.level} data-here={other.level === level ? '' : undefined}>
              <span style={{ blockSize: 14 + n * 9 }}>{formatCount(other.level, presentation)}</span>
              <small>{formatCompact(withoutTrailingZeros(other.realValue), presentation)}</small>
            </li>
          ))}
        </ol>
      </section>
      <div className="page vip-page">
        <LateNotes pauses={[]} changes={['level', 'fee', 'withdrawal']} />
        <Card className="stack">
          {next === null ? (
            <p>{t('vip.top')}</p>
          ) : (
            <>
              <p className="row num">
                <b>{t('vip.to_next', { amount: amount(missing), level: formatCount(level + 1, presentation) })}</b>
                <span className="muted">
                  {formatPercent(share.toFixed(3), presentation, { minDecimals: 1, maxDecimals: 1 })}
                </span>
              </p>
              <ProgressBar
                share={share}
                label={t('vip.to_next', { amount: amount(missing), level: formatCount(level + 1, presentation) })}
                look="amber"
              />
              <p className="row cap num">
                <span>
                  <bdi>{amount(from)}</bdi>
                </span>
                <span>
                  <bdi>{amount(next)}</bdi>
                </span>
              </p>
            </>
          )}
          {units(waiting) > 0n && <p className="muted num">{t('vip.waiting', { amount: amount(waiting), days })}</p>}
          <p className="muted">{t('vip.rule', { days })}</p>
          <MoneyNote>{t('vip.badge')}</MoneyNote>
        </Card>
        <Card className="vip-card">
          <table className="vip-table num">
            <thead>
              <tr>
                <td />
                <th scope="col">{t('vip.deposited')}</th>
                <th scope="col">{t('vip.maker')}</th>
                <th scope="col">{t('vip.taker')}</th>
                <th scope="col">{t('vip.withdraw')}</th>
              </tr>
            </thead>
            <tbody>
              {levels.map((other) => (
                <tr key={other.level} data-here={other.level === level ? '' : undefined}>
                  <th scope="row">{t('vip.level', { level: formatCount(other.level, presentation) })}</th>
                  <td>{amount(other.realValue)}</td>
                  <td>{share2(other.benefits.maker)}</td>
                  <td>{share2(other.benefits.taker)}</td>
                  <td>{amount(other.benefits.withdrawal_daily_max)}</td>
                </tr>
              ))}
            </tbody>
          </table>
          <p className="cap">{t('vip.advanced_note')}</p>
        </Card>
        <MoneyNote icon="shield" tone="success">
          {t('vip.assurance')}
        </MoneyNote>
      </div>
    </>
  );
}
