import { type CustomerProfile, listCustomerLedger } from '@sathorn/api';
import { useRead } from '@sathorn/app/client';
import { useState } from 'react';
import { Chips } from '../../parts/chips.tsx';
import { Pager } from '../../parts/pager.tsx';
import { Money } from '../../parts/parts.tsx';
import { ScrollRegion } from '../../parts/scroll-region.tsx';
import { EmptyState, ReadGate } from '../../parts/states.tsx';
import { useTexts } from '../../parts/texts/index.ts';

export function LedgerTab({ profile }: { profile: CustomerProfile }) {
  const { t, code, dateTime } = useTexts();
  const assets = profile.balances.map(({ asset }) => asset);
  const [asset, setAsset] = useState(assets.includes('USDT') ? 'USDT' : (assets[0] ?? 'USDT'));
  const [page, setPage] = useState<string | null>(null);
  const query = useRead(listCustomerLedger, {
    id: profile.id,
    asset,
    ...(page !== null && { page }),
  });
  return (
    <section className="card split">
      <div className="hd wrap">
        <Chips
          values={assets}
          value={asset}
          onChange={(one) => {
            setAsset(one);
            setPage(null);
          }}
          label={(one) => one}
        />
      </div>
      <ReadGate query={query}>
        {({ items, next }) => (
          <ScrollRegion label={t('customers.tab.ledger')}>
            {items.length === 0 && <EmptyState title={t('customers.no_money')} />}
            <table className="s">
              <thead>
                <tr>
                  <th>{t('ledger.entry')}</th>
                  <th>{t('ledger.at')}</th>
                  <th>{t('ledger.purpose')}</th>
                  <th className="num">{t('ledger.amount')}</th>
                  <th className="num">{t('ledger.after')}</th>
                </tr>
              </thead>
              <tbody>
                {items.map((item) => (
                  <tr key={item.sequence}>
                    <td className="mono">{item.sequence}</td>
                    <td className="m">{dateTime(item.at)}</td>
                    <td>{code('purpose', item.purpose)}</td>
                    <td className="num">
                      <Money of={item.amount} asset={asset} />
                    </td>
                    <td className="num">
                      <Money of={item.after} asset={asset} />
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
            <Pager page={page} next={next} onPage={setPage} />
          </ScrollRegion>
        )}
      </ReadGate>
    </section>
  );
}
