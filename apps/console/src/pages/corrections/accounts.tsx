import { listLedgerAccounts } from '@sathorn/api';
import { useRead } from '@sathorn/app/client';
import { useState } from 'react';
import { Chips } from '../../parts/chips.tsx';
import { Money, Tag } from '../../parts/parts.tsx';
import { ScrollRegion } from '../../parts/scroll-region.tsx';
import { ReadGate } from '../../parts/states.tsx';
import { useTexts } from '../../parts/texts/index.ts';
import { useCorrectionTexts } from './texts.ts';

export function LedgerAccounts() {
  const { amount } = useTexts();
  const { b, word } = useCorrectionTexts();
  const [asset, setAsset] = useState('USDT');
  const query = useRead(listLedgerAccounts, {}, { everyMs: 15_000 });
  return (
    <div className="page">
      <section className="card split">
        <ReadGate query={query}>
          {({ items, sums }) => {
            const sum = sums.find((one) => one.asset === asset)?.sum ?? '0';
            const isZero = Number(sum) === 0;
            return (
              <>
                <div className="hd wrap">
                  <h2>{b('accounts')}</h2>
                  <Chips values={sums.map((one) => one.asset)} value={asset} onChange={setAsset} label={(one) => one} />
                  <span className="r">
                    <Tag look={isZero ? 'ok' : 'danger'}>
                      {isZero ? b('adds_up') : b('off_by', { amount: amount(sum) })}
                    </Tag>
                  </span>
                </div>
                <ScrollRegion label={b('accounts')}>
                  <table className="s">
                    <thead>
                      <tr>
                        <th className="num">{b('code')}</th>
                        <th>{b('account')}</th>
                        <th />
                        <th className="num">{b('count')}</th>
                        <th className="num">{b('held')}</th>
                        <th className="num">{b('total')}</th>
                      </tr>
                    </thead>
                    <tbody>
                      {items
                        .filter((one) => one.asset === asset)
                        .map((one) => (
                          <tr key={one.code}>
                            <td className="num mono">{one.code}</td>
                            <td className="b">{word('account', one.name)}</td>
                            <td className="c">{b(one.is_house ? 'of_house' : 'of_customers')}</td>
                            <td className="num m">{one.accounts}</td>
                            <td className="num m">
                              <Money of={one.held} asset={one.asset} />
                            </td>
                            <td className="num b">
                              <Money of={one.total} asset={one.asset} />
                            </td>
                          </tr>
                        ))}
                    </tbody>
                  </table>
                </ScrollRegion>
                <p className="foot c">{b('accounts_note')}</p>
              </>
            );
          }}
        </ReadGate>
      </section>
    </div>
  );
}
