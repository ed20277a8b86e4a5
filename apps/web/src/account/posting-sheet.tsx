import { useNavigation } from '@sathorn/app/navigation';
import { formatAsset } from '@sathorn/text';
import { Button, Icon, Money, Sheet, useText } from '@sathorn/ui';
import { useAreAmountsHidden } from '../parts/account/hide-amounts-head.tsx';
import { withoutTrailingZeros } from '../parts/market/asset-figure.ts';
import type { AccountRecord } from '../parts/money/apply-record-news.ts';
import { MoneyFacts } from '../parts/money/facts.tsx';
import { MoneyNote } from '../parts/money/note.tsx';
import { useMoneyFormats } from '../parts/money/use-money.ts';
import { areRecordsGapless, balanceBefore } from './day-groups.ts';
import { recordName } from './record-name.ts';

interface PostingSheetProps {
  open: boolean;
  onClose: () => void;
  /** The content stays while the sheet slides away. */
  record: AccountRecord | undefined;
  /** The next older row of the asset, if loaded: its balance must equal the balance before this row. */
  older: AccountRecord | undefined;
}

/** The page that shows the object of a row, by the row's kind. */
const PLACES: readonly (readonly [kind: RegExp, path: string])[] = [
  [/^deposit/, '/pages/Recharge/record'],
  [/^withdrawal/, '/pages/Withdraw/record'],
  [/^option/, '/pages/Option/orderRecord/orderRecord?tab=history'],
  [/^contract/, '/pages/contracts/orderList?status=history'],
  [/^correction/, '/pages/mine/corrections'],
];

/** One posting: the amount, the balance before and after it, and its ids. */
export default function PostingSheet({ open, onClose, record, older }: PostingSheetProps) {
  const { t, has } = useText<'money'>();
  return (
    <Sheet open={open} onClose={onClose} title={record ? t(recordName(record.kind, has)) : ''}>
      {record && <Posting record={record} older={older} onClose={onClose} />}
    </Sheet>
  );
}

function Posting({ record, older, onClose }: { record: AccountRecord } & Pick<PostingSheetProps, 'older' | 'onClose'>) {
  const { t, presentation } = useText<'money'>();
  const { navigate } = useNavigation();
  const { whole } = useMoneyFormats();
  const isHidden = useAreAmountsHidden();
  const before = balanceBefore(record);
  const isIncome = !record.amount.startsWith('-');
  const isPoints = record.asset === 'POINTS';
  const asset = isPoints ? t('details.points') : record.asset;
  const decimals = isPoints ? 0 : 2;
  const balance = (text: string) =>
    isHidden ? (
      <Money amount="0" hidden />
    ) : (
      formatAsset(withoutTrailingZeros(text), asset, presentation, { minDecimals: decimals })
    );
  const follows = older !== undefined && areRecordsGapless([record, older]) === true;
  const place = PLACES.find(([kind]) => kind.test(record.kind))?.[1];
  return (
    <div className="stack">
      <div className="posting-head">
        <p className="posting-amount" data-income={isIncome && !isHidden ? '' : undefined}>
          <Money amount={record.amount} asset={asset} decimals={decimals} exact signed hidden={isHidden} />
        </p>
        <p className="muted num">{whole(record.at)}</p>
      </div>
      {before !== null && record.balance_after !== null && (
        <div className="posting-balances num">
          <p>
            <span className="cap">{t('details.before')}</span>
            <b>
              <bdi>{balance(before)}</bdi>
            </b>
          </p>
          <Icon name="forward" size={18} flip />
          <p>
            <span className="cap">{t('details.after')}</span>
            <b>
              <bdi>{balance(record.balance_after)}</bdi>
            </b>
          </p>
        </div>
      )}
      <MoneyFacts
        facts={[
          {
            key: 'posting',
            name: t('details.posting'),
            value: <span className="mono">{record.id}</span>,
            copy: { text: record.id, label: t('details.copy_posting') },
          },
          record.ref === null
            ? null
            : {
                key: 'reference',
                name: t('details.journal'),
                value: <span className="mono">{record.ref}</span>,
                copy: { text: record.ref, label: t('money.copy_reference') },
              },
        ]}
      />
      {follows && (
        <MoneyNote tone="success" icon="shield" title={t('details.checked')}>
          {t('details.checked_lead')}
        </MoneyNote>
      )}
      {place && (
        <Button
          look="soft"
          onClick={() => {
            onClose();
            // The id of its posting finds a correction.
            if (/^correction/.test(record.kind) && record.ref !== null) navigate(place, { id: record.ref });
            else navigate(place);
          }}
        >
          {t('details.see_records')}
        </Button>
      )}
    </div>
  );
}
