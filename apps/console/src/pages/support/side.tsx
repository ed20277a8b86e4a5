import { handOverSupport, noteSupport, readProfile, type SupportCase } from '@sathorn/api';
import { useRead } from '@sathorn/app/client';
import { Button } from '@sathorn/ui';
import { useState } from 'react';
import { Field, TextArea } from '../../parts/field.tsx';
import { Facts, KeyHint, Tag } from '../../parts/parts.tsx';
import { ReadGate, RefusalNote } from '../../parts/states.tsx';
import { useTexts } from '../../parts/texts/index.ts';
import { routeHash } from '../../route.ts';
import { Dialog } from '../../shell/dialog.tsx';
import { useAct } from '../../use-act.ts';
import { useSupportTexts } from './texts.ts';

export function ThreadCustomer({ id }: { id: string }) {
  const { say } = useSupportTexts();
  const { dateTime } = useTexts();
  // Every view of a profile is logged, so it is not read again soon.
  const query = useRead(readProfile, { id }, { freshForMs: 600_000 });
  return (
    <section className="card bd col">
      <div className="row sp">
        <h2>{say('customer')}</h2>
        <a href={routeHash('customers', id)}>
          {say('profile')} <KeyHint name="u" />
        </a>
      </div>
      <ReadGate query={query} rows={3}>
        {(profile) => (
          <Facts
            facts={[
              [say('contact'), profile.contact],
              [say('level'), dateTime(profile.created_at)],
              [say('sessions'), profile.sessions],
              [
                say('freeze'),
                profile.is_frozen ? (
                  <Tag key="freeze" look="danger">
                    {say('frozen')}
                  </Tag>
                ) : (
                  say('no_freeze')
                ),
              ],
              ...profile.balances.map(
                ({ asset, available }) => [say('balance', { asset }), available] as [string, string],
              ),
            ]}
          />
        )}
      </ReadGate>
    </section>
  );
}

/** The visitor who wrote without an account. */
export function ThreadVisitor({ visitor }: { visitor: NonNullable<SupportCase['visitor']> }) {
  const { say } = useSupportTexts();
  const { t } = useTexts();
  return (
    <section className="card bd col">
      <h2>{t('support.visitor')}</h2>
      <Facts
        facts={[
          [say('visitor_contact'), <bdi key="contact">{visitor.contact}</bdi>],
          [say('visitor_reference'), visitor.reference],
          [say('visitor_way'), t(`support.visitor_by.${visitor.kind}`)],
        ]}
      />
      <p className="note" data-look="warn">
        {say('visitor_unproved')}
      </p>
    </section>
  );
}

export function ThreadSteps({ thread, mayNote }: { thread: SupportCase; mayNote: boolean }) {
  const { say } = useSupportTexts();
  const { t, dateTime } = useTexts();
  const note = useAct(noteSupport);
  const [text, setText] = useState('');
  return (
    <section className="card bd col">
      <h2>{say('before')}</h2>
      {thread.steps.length === 0 && <p className="c">{say('no_steps')}</p>}
      <ul className="plain">
        {thread.steps.map((step) => (
          <li key={`${step.at} ${step.what}`} className="col">
            <span className="row sp sm">
              <span>
                {step.by.work_name} {t(`support.step.${step.what}`, { to: step.handed_to ?? '' })}
              </span>
              <span className="c">{dateTime(step.at)}</span>
            </span>
            {step.note && (
              <span className="c">
                <bdi>{step.note}</bdi>
              </span>
            )}
          </li>
        ))}
      </ul>
      {mayNote && (
        <>
          <TextArea
            dir="auto"
            label={say('note')}
            placeholder={say('note_hint')}
            value={text}
            fault={note.refused?.fields.note}
            onChange={({ target }) => setText(target.value)}
          />
          <Button
            size="small"
            look="soft"
            busy={note.isBusy}
            disabled={text.trim() === ''}
            onClick={async () => {
              if ((await note.run({ id: thread.id, note: text })).ok) setText('');
            }}
          >
            {say('note_save')}
          </Button>
        </>
      )}
    </section>
  );
}

export function HandOverDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const { say } = useSupportTexts();
  const { t } = useTexts();
  const act = useAct(handOverSupport);
  return (
    <Dialog label={t('support.hand_over')} onClose={onClose}>
      <form
        className="bd col"
        onSubmit={async (event) => {
          event.preventDefault();
          const data = new FormData(event.currentTarget);
          const done = await act.run({ id, to: String(data.get('to')), note: String(data.get('note')) });
          if (done.ok) onClose();
        }}
      >
        <h2>{t('support.hand_over')}</h2>
        <Field
          name="to"
          label={say('to')}
          placeholder={say('to_hint')}
          list="desks"
          required
          fault={act.refused?.fields.to}
        />
        <datalist id="desks">
          <option value="support" />
          <option value="compliance" />
        </datalist>
        <TextArea name="note" dir="auto" label={say('hand_note')} required fault={act.refused?.fields.note} />
        <RefusalNote refused={act.refused} />
        <div className="row">
          <Button size="small" look="soft" onClick={onClose}>
            {t('act.cancel')}
          </Button>
          <Button type="submit" size="small" busy={act.isBusy}>
            {t('support.hand_over')}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
