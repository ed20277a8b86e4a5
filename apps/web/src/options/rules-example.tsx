import { listOptions, type OptionOrder } from '@sathorn/api';
import { useRead } from '@sathorn/app/client';
import { useSession } from '@sathorn/app/session';
import { useAreaText } from '@sathorn/app/texts';
import { formatAsset, formatPercent } from '@sathorn/text';
import { FactList, Money, PriceText, useText } from '@sathorn/ui';
import { OPENING_TEXT_AREA } from '../parts/guide/opening-texts.tsx';
import './rules-example.css';

const WORDS = { won: 'rules.won', lost: 'rules.lost', tie: 'rules.tie' } as const;
const isDecided = (order: OptionOrder): order is OptionOrder & { status: keyof typeof WORDS } => order.status in WORDS;

/** The rules in two pictures, and an example with the customer's own last order. */
export default function RulesExample() {
  const { t: say } = useAreaText(OPENING_TEXT_AREA, true);
  const isCustomer = useSession(({ token }) => token !== null);
  const { data } = useRead(listOptions, { status: 'history' }, { enabled: isCustomer, freshForMs: 30_000 });
  const last = data?.items.find(isDecided);
  if (!say) return null;
  return (
    <div className="rules-example">
      <div className="rules-pictures">
        <figure>
          <Picture isUp />
          <figcaption>{say('rules.up')}</figcaption>
        </figure>
        <figure>
          <Picture isUp={false} />
          <figcaption>{say('rules.down')}</figcaption>
        </figure>
      </div>
      {last ? <Worked order={last} say={say} /> : data && <p className="muted">{say('rules.none')}</p>}
    </div>
  );
}

function Worked({
  order,
  say,
}: {
  order: OptionOrder & { status: keyof typeof WORDS };
  say: NonNullable<ReturnType<typeof useAreaText<'opening'>>['t']>;
}) {
  const { t, presentation } = useText();
  const stake = formatAsset(order.quantity, 'USDT', presentation, { minDecimals: 2, maxDecimals: 2 });
  const rate = formatPercent(order.payout, presentation);
  const isWon = order.status === 'won';
  return (
    <>
      <h3>{say('rules.own')}</h3>
      <p className="muted">
        {t(order.direction === 'up' ? 'option.up_stake' : 'option.down_stake', { coin: order.name, stake })}
        {' · '}
        {say(WORDS[order.status])}
      </p>
      <FactList
        facts={[
          { name: t('option.start_price'), value: <PriceText price={order.start_price} /> },
          { name: t('option.end_price'), value: <PriceText price={order.end_price} /> },
          ...(isWon
            ? [
                {
                  name: say('rules.gain', { stake, rate }),
                  value: <Money amount={order.profit ?? '0'} asset="USDT" signed exact />,
                },
                {
                  name: t('option.fee_of_profit', { rate: formatPercent(order.fee_rate, presentation) }),
                  value: <Money amount={`-${order.fee ?? '0'}`} asset="USDT" exact />,
                },
              ]
            : []),
          { name: say('rules.credited'), value: <Money amount={order.sell_price ?? '0'} asset="USDT" exact /> },
        ]}
      />
    </>
  );
}

/** Draws the line of the start price, the price after it, and the half that wins. */
function Picture({ isUp }: { isUp: boolean }) {
  return (
    <svg viewBox="0 0 150 76" aria-hidden="true">
      <rect x="48" y={isUp ? 6 : 38} width="92" height="32" className="rules-won" />
      <path d="M8 38h134" className="rules-start" />
      <g transform={isUp ? undefined : 'matrix(1 0 0 -1 0 76)'}>
        <path d="M8 48l12-6 10 5 10-7 8-2 14-8 12 6 14-8 16 4 14-9 14-3" className="rules-price" />
        <circle cx="132" cy="20" r="4" className="rules-end" />
      </g>
      <circle cx="48" cy="38" r="3.5" className="rules-dot" />
    </svg>
  );
}
