import { type ContractOrder, listContracts, placeContract, readBalance, readUser } from '@sathorn/api';
import { failureText, readQueryKey, useCall } from '@sathorn/app/client';
import { add, formatMoney, type Money, money, parseMoney, subtract } from '@sathorn/money';
import { CONTRACT_LIMITS } from '@sathorn/settlement';
import { Button, FactList, Sheet, useText } from '@sathorn/ui';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { assetFigure } from '../parts/market/asset-figure.ts';
import { storeOwnOrders } from './own-order-store.ts';
import type { SmallBalance } from './small-balances.ts';

interface SmallBalancesSheetProps {
  open: boolean;
  balances: readonly SmallBalance[];
  onClose: () => void;
}

/** The result of one coin's order. */
interface Outcome {
  readonly says: string;
  readonly isSold: boolean;
}

/** Sells each small balance completely by a market order, one after the other, and shows the result of each. */
export default function SmallBalancesSheet({ open, balances, onClose }: SmallBalancesSheetProps) {
  const texts = useText();
  const { t, presentation } = useText<'contracts'>();
  const queries = useQueryClient();
  const place = useCall(placeContract, { quiet: true, withoutOverlay: true });
  const [isBusy, setBusy] = useState(false);
  const [outcomes, setOutcomes] = useState<{ of: typeof balances; by: Readonly<Record<string, Outcome>> }>();
  const by = outcomes?.of === balances ? outcomes.by : {};
  const left = balances.filter(({ code }) => !by[code]?.isSold);
  const usdt = (amount: Money<'USDT'>) => assetFigure('USDT', formatMoney(amount), presentation);
  const worth = left.reduce((sum, { value }) => add(sum, value), money('USDT', 0n));

  const convert = async () => {
    setBusy(true);
    let known = by;
    for (const { code, quantity } of left) {
      const answer = await place.submit({ code, side: 'sell', type: 'market', quantity });
      const proceeds = answer.ok ? proceedsOf(answer.data) : undefined;
      known = {
        ...known,
        [code]: {
          isSold: proceeds !== undefined,
          says: proceeds
            ? t('contracts.small_sold', { amount: usdt(proceeds) })
            : answer.ok
              ? t('contracts.small_unsold')
              : failureText(answer, texts),
        },
      };
      setOutcomes({ of: balances, by: known });
      if (answer.ok) storeOwnOrders([answer.data]);
      // Without an answer, only the same order may be sent again, so the loop ends here.
      else if (!answer.isAnswered) break;
    }
    for (const call of [readBalance, readUser, listContracts])
      void queries.invalidateQueries({ queryKey: readQueryKey(call) });
    setBusy(false);
  };

  return (
    <Sheet open={open} onClose={onClose} title={t('contracts.small')} blocking={isBusy}>
      <div className="stack">
        <p className="cap">{t('contracts.small_lead', { max: usdt(CONTRACT_LIMITS.amountMin) })}</p>
        <div role="status">
          <FactList
            facts={balances.map(({ code, quantity, value }) => ({
              name: assetFigure(code, quantity, presentation),
              value: by[code]?.says ?? t('contracts.about', { amount: usdt(value) }),
            }))}
          />
        </div>
        {left.length > 0 && (
          <Button busy={isBusy} onClick={() => void convert()}>
            {t('contracts.small_convert', { amount: usdt(worth) })}
          </Button>
        )}
        <Button look="plain" disabled={isBusy} onClick={onClose}>
          {t('shell.close')}
        </Button>
      </div>
    </Sheet>
  );
}

/** USDT after the fee; undefined if nothing was sold. */
function proceedsOf({ dealt_amount, fee, fee_asset, dealt_price }: ContractOrder): Money<'USDT'> | undefined {
  const [amount, paid] = [parseMoney('USDT', dealt_amount), parseMoney('USDT', fee)];
  if (dealt_price === null || amount === undefined || paid === undefined || fee_asset !== 'USDT') return undefined;
  return subtract(amount, paid);
}
