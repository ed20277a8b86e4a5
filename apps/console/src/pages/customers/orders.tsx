import { CUSTOMER_ORDERS, listCustomerOrders } from '@sathorn/api';
import { useState } from 'react';
import { Chips } from '../../parts/chips.tsx';
import { Pager } from '../../parts/pager.tsx';
import { ScrollRegion } from '../../parts/scroll-region.tsx';
import { EmptyState, ReadGate } from '../../parts/states.tsx';
import { useTexts } from '../../parts/texts/index.ts';
import { useLiveRead } from '../../parts/use-live-read.ts';

export function Orders({ id }: { id: string }) {
  const { t, code, dateTime, amount } = useTexts();
  const [product, setProduct] = useState<(typeof CUSTOMER_ORDERS)[number]>('holding');
  const [page, setPage] = useState<string | null>(null);
  const query = useLiveRead(listCustomerOrders, { id, product, ...(page !== null && { page }) });
  return (
    <section className="card split">
      <div className="hd wrap">
        <Chips
          values={CUSTOMER_ORDERS}
          value={product}
          onChange={(one) => {
            setProduct(one);
            setPage(null);
          }}
          label={(one) => t(`customers.orders.${one}`)}
        />
      </div>
      <ReadGate query={query}>
        {({ items, next }) => (
          <ScrollRegion label={t('customers.tab.orders')}>
            {items.length === 0 && <EmptyState title={t('customers.no_orders')} />}
            {items.length > 0 && (
              <table className="s">
                <thead>
                  <tr>
                    <th>{t('ledger.at')}</th>
                    <th>{t('coin')}</th>
                    <th>{t('customers.side')}</th>
                    <th className="num">{t('customers.size')}</th>
                    <th className="num">{t('customers.price')}</th>
                    <th>{t('operators.state')}</th>
                    <th className="num">{t('customers.result')}</th>
                  </tr>
                </thead>
                <tbody>
                  {items.map((order) => (
                    <tr key={order.id}>
                      <td className="m" title={order.id}>
                        {dateTime(order.at)}
                      </td>
                      <td className="b">{order.coin}</td>
                      <td>{t(`side.${order.side}`)}</td>
                      <td className="num">
                        {order.is_band ? order.size.amount : amount(order.size.amount)} {order.size.asset}
                      </td>
                      <td className="num">{order.price === null ? '–' : amount(order.price)}</td>
                      <td>{code('order', order.status)}</td>
                      <td className="num">
                        {order.result === null
                          ? '–'
                          : `${order.is_band ? order.result.amount : amount(order.result.amount)} ${order.result.asset}`}
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            )}
            <Pager page={page} next={next} onPage={setPage} />
          </ScrollRegion>
        )}
      </ReadGate>
    </section>
  );
}
