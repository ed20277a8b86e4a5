import { readIncome } from '@sathorn/api';
import { useRead } from '@sathorn/app/client';
import type { Rate } from '@sathorn/money';
import { checkIncomeReceipt, splitByStages, YEAR_DIVISOR } from '@sathorn/settlement';
import { formatDate, formatPercent } from '@sathorn/text';
import { Badge, FactList, Money, Sheet, useText } from '@sathorn/ui';
import { NotLoaded } from '../parts/read/not-loaded.tsx';
import { amountText, dayText, usdtTextOf } from './figures.ts';
import { EarningNote } from './parts.tsx';

/** Identifies one day's income; `order` is set for a lock-up. */
export interface IncomeReceiptId {
  readonly order: string | null;
  readonly day: string;
}

/** The receipt of one day's income, recomputed on this device. */
export function ReceiptSheet({ of, onClose }: { of: IncomeReceiptId | null; onClose: () => void }) {
  const { t, presentation } = useText<'earning'>();
  return (
    <Sheet
      open={of !== null}
      onClose={onClose}
      title={t('earning.receipt_title', { day: of ? dayText(of.day, 'date', presentation) : '' })}
    >
      {of && <Receipt of={of} />}
    </Sheet>
  );
}

const rateText = (units: string): string => {
  const digits = units.padStart(9, '0');
  return `${digits.slice(0, -8)}.${digits.slice(-8)}`;
};

function Receipt({ of }: { of: IncomeReceiptId }) {
  const { t, presentation } = useText<'earning'>();
  const { data, error, refetch } = useRead(
    readIncome,
    of.order === null ? { type: 'liquidity', day: of.day } : { type: 'regular', id: of.order, day: of.day },
    { freshForMs: 0 },
  );
  if (!data) return <NotLoaded read={{ error, refetch }} rows={5} />;
  const faults = checkIncomeReceipt(data);
  const usdt = (units: string) => `${amountText(usdtTextOf(BigInt(units)), presentation)}`;
  const percent = (rate: string) => formatPercent(rateText(rate), presentation, { minDecimals: 2 });
  const parts = data.stages
    ? splitByStages(
        BigInt(data.base),
        data.stages.map(({ from, rate }) => ({ from: BigInt(from), rate: BigInt(rate) as Rate })),
      )
    : [];
  // The carried remainder in fractions of the smallest unit.
  const divisor = data.stages ? YEAR_DIVISOR : 100_000_000n;
  const remainder = (carry: string) =>
    formatPercent(rateText(String((BigInt(carry) * 100_000_000n) / divisor)), presentation, { maxDecimals: 2 });
  return (
    <div className="stack">
      {faults.length === 0 ? (
        <Badge tone="success" mark="check">
          {t('earning.receipt_holds')}
        </Badge>
      ) : (
        <EarningNote tone="warn">
          {t('earning.receipt_fails', { what: faults.map((fault) => t(`earning.fault.${fault}`)).join(', ') })}
        </EarningNote>
      )}
      <FactList
        facts={[
          { name: t('earning.receipt_base'), value: usdt(data.base) },
          ...parts.map(({ part, rate }, n) => ({
            name: t('earning.receipt_stage', { n: n + 1 }),
            value: `${amountText(usdtTextOf(part), presentation)} × ${percent(String(rate))} ÷ 365`,
          })),
          ...(data.daily_rate === null
            ? []
            : [
                {
                  name: t('earning.receipt_day_of', { nth: data.nth ?? 0, days: data.days ?? 0 }),
                  value: `${usdt(data.base)} × ${formatPercent(rateText(data.daily_rate), presentation, { minDecimals: 3 })}`,
                },
              ]),
          { name: t('earning.receipt_carry_before'), value: remainder(data.carry_before) },
          {
            name: t('earning.receipt_paid'),
            value: <Money amount={usdtTextOf(BigInt(data.units))} asset="USDT" exact />,
          },
          { name: t('earning.receipt_carry_after'), value: remainder(data.carry_after) },
          { name: t('earning.receipt_total'), value: usdt(data.total_after) },
          {
            name: t('earning.receipt_version'),
            value: t('earning.receipt_version_of', {
              version: data.version,
              day: dayText(data.effective_from, 'date', presentation),
            }),
          },
          ...(data.transfer
            ? [
                {
                  name: t('earning.receipt_transfer'),
                  value: (
                    <>
                      <span className="mono">{data.transfer.sequence}</span>{' '}
                      {formatDate(data.transfer.at, 'dateTimeSeconds', presentation)}
                    </>
                  ),
                },
              ]
            : []),
        ]}
      />
      <p className="muted">{t(data.state === 'paid' ? 'earning.receipt_note' : 'earning.receipt_waiting')}</p>
    </div>
  );
}
