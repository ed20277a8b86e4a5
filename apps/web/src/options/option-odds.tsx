import { type DurationTerms, readFigures } from '@sathorn/api';
import { useRead } from '@sathorn/app/client';
import { formatCount, formatPercent } from '@sathorn/text';
import { FactList, Money, useText } from '@sathorn/ui';
import { useDeskText } from '../parts/text/desk-text.ts';
import { breakEvenShare } from './break-even.ts';
import { durationLabel } from './duration-label.ts';
import type { OutcomePreview } from './preview-outcome.ts';

interface OptionOddsProps {
  amount: string;
  terms: DurationTerms;
  preview: OutcomePreview | undefined;
}

/** Shows gain, loss and fee of an option, the break-even rate, and how often customers won. */
export default function OptionOdds({ amount, terms, preview }: OptionOddsProps) {
  const { t, presentation } = useText();
  const say = useDeskText();
  const { data: figures } = useRead(readFigures, {}, { freshForMs: 60_000 });
  const breakEven = breakEvenShare(terms);
  const won = figures?.options.find(({ duration }) => duration === terms.seconds)?.share_won;
  const percent = (text: string) => formatPercent(text, presentation, { minDecimals: 2 });
  const usdt = (text: string | undefined) => (text === undefined ? '–' : <Money amount={text} asset="USDT" exact />);
  if (!say) return null;
  return (
    <div className="ticket-odds">
      <FactList
        facts={[
          { name: t('option.if_win_credited'), value: usdt(preview?.credit) },
          { name: t('option.if_lose'), value: usdt(preview && `-${amount}`) },
          {
            name: t('option.fee_of_profit', { rate: formatPercent(terms.fee, presentation) }),
            // Without a minus sign: the credit above is after the fee already.
            value: usdt(preview?.fee),
          },
          { name: say('odds.break_even'), value: breakEven ? percent(breakEven) : '–' },
          {
            // The platform publishes the figures of 30 days; the number of days is the answer's own.
            name: say('odds.customers_won', { n: formatCount(figures?.days ?? 30, presentation) }),
            value: won ? percent(won) : '–',
          },
        ]}
      />
      <p className="ticket-hint">{say('odds.note', { duration: durationLabel(terms.seconds, t, presentation) })}</p>
    </div>
  );
}
