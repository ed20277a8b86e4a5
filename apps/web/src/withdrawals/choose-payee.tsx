import { Button, RadioList, Sheet, useText } from '@sathorn/ui';
import { ChainMark } from '../parts/money/chain-mark.tsx';
import { GroupedAddress } from '../parts/money/grouped-address.tsx';
import { RailMark } from '../parts/money/record-rows.tsx';
import type { ChannelPayee } from './channel-payee.ts';
import { PayeeUsableFrom } from './payee-usable-from.tsx';

interface ChoosePayeeProps {
  open: boolean;
  onClose: () => void;
  payees: readonly ChannelPayee[];
  chosen: string;
  onChoose: (id: string) => void;
  onAdd: () => void;
}

/**
 * The saved wallets or cards. Addresses are shown in full, in groups of four, so that customers do not compare only the
 * ends.
 */
export default function ChoosePayee({ open, onClose, payees, chosen, onChoose, onAdd }: ChoosePayeeProps) {
  const { t } = useText<'money' | 'withdrawals'>();
  const kind = payees[0]?.kind ?? 'wallet';
  return (
    <Sheet open={open} onClose={onClose} title={t(`withdrawal.choose.${kind}`)}>
      <div className="stack">
        <RadioList
          legend={t(`withdrawal.choose.${kind}`)}
          name="payee"
          value={chosen}
          onChange={onChoose}
          choices={payees.map((payee) => ({
            value: payee.id,
            lead: payee.rate.chain ? (
              <ChainMark chain={payee.rate.chain} size={34} />
            ) : (
              <RailMark icon="company" size={34} />
            ),
            label: (
              <b>
                <bdi>{payee.name}</bdi>
              </b>
            ),
            note: (
              <>
                <bdi>{payee.rate.chain?.name ?? payee.bankName}</bdi>
                {payee.address !== null && <GroupedAddress address={payee.address} />}
                {payee.number !== null && (
                  <>
                    {' '}
                    <bdi dir="ltr">{payee.number}</bdi>
                  </>
                )}
                <PayeeUsableFrom payee={payee} />
              </>
            ),
          }))}
        />
        <Button look="soft" onClick={onAdd}>
          {t(`withdrawal.add.${kind}`)}
        </Button>
      </div>
    </Sheet>
  );
}
