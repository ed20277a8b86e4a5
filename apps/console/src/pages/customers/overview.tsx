import type { CustomerProfile } from '@sathorn/api';
import { Late, type LoadPart, renderNothing } from '@sathorn/app/late';
import { Money } from '../../parts/parts.tsx';
import { EmptyState } from '../../parts/states.tsx';
import { useTexts } from '../../parts/texts/index.ts';
import { Freezes } from './freezes.tsx';

const loadKept: LoadPart<{ customer: string }> = () => import('../kept/kept.tsx');

export function Overview({ profile }: { profile: CustomerProfile }) {
  const { t } = useTexts();
  return (
    <div className="col">
      <section className="card">
        <div className="hd">
          <h2>{t('customers.balances')}</h2>
          {profile.balances.some(({ is_band: isBand }) => isBand) && <span className="r">{t('customers.bands')}</span>}
        </div>
        {profile.balances.length === 0 ? (
          <EmptyState title={t('customers.no_money')} />
        ) : (
          <table className="s">
            <thead>
              <tr>
                <th>{t('asset')}</th>
                <th className="num">{t('customers.available')}</th>
                <th className="num">{t('customers.held')}</th>
              </tr>
            </thead>
            <tbody>
              {profile.balances.map(({ asset, available, held, is_band: isBand }) => (
                <tr key={asset}>
                  <td className="b">{asset}</td>
                  <td className="num">{isBand ? available : <Money of={available} asset={asset} />}</td>
                  <td className="num m">{isBand ? held : <Money of={held} asset={asset} />}</td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </section>
      <Late load={loadKept} failed={renderNothing}>
        {(Kept) => <Kept customer={profile.id} />}
      </Late>
      <Freezes profile={profile} />
    </div>
  );
}
