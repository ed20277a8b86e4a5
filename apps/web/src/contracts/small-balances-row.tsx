import { Late } from '@sathorn/app/late';
import { formatCount } from '@sathorn/text';
import { Card, ListRow, useText } from '@sathorn/ui';
import { useState } from 'react';
import { useAccount } from '../parts/account/use-account.ts';
import { type SmallBalance, smallBalances } from './small-balances.ts';

const loadSheet = () => import('./small-balances-sheet.tsx');

/** Offers to sell small remainders of coins. Hidden if there are none. */
export function SmallBalancesRow() {
  const { t, presentation } = useText<'contracts'>();
  const { user } = useAccount();
  const balances = smallBalances(user?.coins ?? []);
  const [isOpen, setOpen] = useState(false);
  // The sheet keeps its rows while the balances disappear.
  const [asked, setAsked] = useState<readonly SmallBalance[]>([]);
  const close = () => setOpen(false);
  return (
    <>
      {balances.length > 0 && (
        <Card tight className="contract-small">
          <ListRow
            icon="swap"
            title={t('contracts.small')}
            value={formatCount(balances.length, presentation)}
            onPress={() => {
              setAsked(balances);
              setOpen(true);
            }}
          />
        </Card>
      )}
      <Late load={loadSheet} sheet={{ open: isOpen, onClose: close }}>
        {(SmallBalancesSheet) => <SmallBalancesSheet open={isOpen} balances={asked} onClose={close} />}
      </Late>
    </>
  );
}
