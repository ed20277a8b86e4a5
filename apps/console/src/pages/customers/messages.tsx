import { listCustomerMessages, messageCustomer } from '@sathorn/api';
import { Button } from '@sathorn/ui';
import { useState } from 'react';
import { useKeys } from '../../keys.ts';
import { hasAnyRole, useOperator } from '../../operator.ts';
import { TextArea } from '../../parts/field.tsx';
import { Pager } from '../../parts/pager.tsx';
import { KeyHint, Tag } from '../../parts/parts.tsx';
import { ScrollRegion } from '../../parts/scroll-region.tsx';
import { EmptyState, ReadGate, RefusalNote } from '../../parts/states.tsx';
import { useTexts } from '../../parts/texts/index.ts';
import { useLiveRead } from '../../parts/use-live-read.ts';
import { Dialog } from '../../shell/dialog.tsx';
import { useAct } from '../../use-act.ts';

/** The notices that the platform and staff have sent to the customer, and a form for a new one. */
export default function Messages({ id }: { id: string }) {
  const { t, dateTime } = useTexts();
  const operator = useOperator();
  const [page, setPage] = useState<string | null>(null);
  const [isWriting, setWriting] = useState(false);
  const query = useLiveRead(listCustomerMessages, { id, ...(page !== null && { page }) });
  const mayWrite = hasAnyRole(operator, ['support', 'compliance', 'admin']);
  useKeys({ w: () => mayWrite && setWriting(true) });
  return (
    <section className="card split">
      <div className="hd">
        <h2>{t('customers.tab.messages')}</h2>
        <span className="r">
          {mayWrite && (
            <Button size="small" icon="mail" onClick={() => setWriting(true)}>
              {t('customers.write')} <KeyHint name="w" />
            </Button>
          )}
        </span>
      </div>
      <ReadGate query={query}>
        {({ items, next }) => (
          <>
            {items.length === 0 && <EmptyState title={t('customers.no_messages')} />}
            <ScrollRegion label={t('customers.tab.messages')}>
              <ul className="plain bd">
                {items.map((message) => (
                  <li key={message.id} className="line col">
                    <span className="row sp">
                      <b>
                        <bdi>{message.title}</bdi>
                      </b>
                      <Tag look={message.read_at ? 'ok' : undefined}>
                        {message.read_at
                          ? t('customers.read_at', { time: dateTime(message.read_at) })
                          : t('customers.unread')}
                      </Tag>
                    </span>
                    <span className="break sm">
                      {message.content === null ? (
                        <span className="m">{t('customers.content_hidden')}</span>
                      ) : (
                        <bdi>{message.content}</bdi>
                      )}
                    </span>
                    <span className="c">{dateTime(message.at)}</span>
                  </li>
                ))}
              </ul>
            </ScrollRegion>
            <Pager page={page} next={next} onPage={setPage} />
          </>
        )}
      </ReadGate>
      {isWriting && <Write id={id} onClose={() => setWriting(false)} />}
    </section>
  );
}

function Write({ id, onClose }: { id: string; onClose: () => void }) {
  const { t } = useTexts();
  const operator = useOperator();
  const send = useAct(messageCustomer);
  return (
    <Dialog label={t('customers.write')} onClose={onClose}>
      <form
        className="bd col"
        onSubmit={async (event) => {
          event.preventDefault();
          const text = String(new FormData(event.currentTarget).get('text') ?? '');
          if ((await send.run({ id, text })).ok) onClose();
        }}
      >
        <h2>{t('customers.write')}</h2>
        <p className="note">{t('customers.write_as', { name: operator?.work_name ?? '' })}</p>
        <TextArea
          name="text"
          label={t('customers.write_text')}
          maxLength={500}
          fault={send.refused?.fields.text}
          required
        />
        <RefusalNote refused={send.refused} />
        <div className="row">
          <Button size="small" look="soft" onClick={onClose}>
            {t('act.cancel')}
          </Button>
          <Button type="submit" size="small" busy={send.isBusy}>
            {t('act.send')}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
