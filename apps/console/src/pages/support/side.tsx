import { handOverSupport, noteSupport, readProfile, type SupportCase } from '@sathorn/api';
import { useRead } from '@sathorn/app/client';
import { Button } from '@sathorn/ui';
import { useState } from 'react';
import { Field, TextArea } from '../../parts/field.tsx';
import { Facts, KeyHint, Tag } from '../../parts/parts.tsx';
import { Loaded, Refusal } from '../../parts/states.tsx';
import { useTexts } from '../../parts/texts/index.ts';
import { hashOf } from '../../route.ts';
import { Dialog } from '../../shell/dialog.tsx';
import { useAct } from '../../use-act.ts';

export function Customer({ id }: { id: string }) {
  const { t, dateTime } = useTexts();
  // Every view of a profile is logged, so it is not read repeatedly.
  const query = useRead(readProfile, { id }, { freshForMs: 600_000 });
  return (
    <section className="card bd col">
      <div className="row sp">
        <h2>{t('support.customer')}</h2>
        <a href={hashOf('customers', id)}>
          {t('support.profile')} <KeyHint name="u" />
        </a>
      </div>
      <Loaded query={query} rows={3}>
        {(profile) => (
          <Facts
            facts={[
              [t('support.contact'), profile.contact],
              [t('support.level'), dateTime(profile.created_at)],
              [t('support.sessions'), profile.sessions],
              [
                t('support.freeze'),
                profile.is_frozen ? (
                  <Tag key="freeze" look="danger">
                    {t('support.frozen')}
                  </Tag>
                ) : (
                  t('support.no_freeze')
                ),
              ],
              ...profile.balances.map(
                ({ asset, available }) => [t('support.balance', { asset }), available] as [string, string],
              ),
            ]}
          />
        )}
      </Loaded>
    </section>
  );
}

/** Whoever wrote without an account. */
export function Visitor({ visitor }: { visitor: NonNullable<SupportCase['visitor']> }) {
  const { t } = useTexts();
  return (
    <section className="card bd col">
      <h2>{t('support.visitor')}</h2>
      <Facts
        facts={[
          [t('support.visitor_contact'), <bdi key="contact">{visitor.contact}</bdi>],
          [t('support.visitor_reference'), visitor.reference],
          [t('support.visitor_way'), t(`support.visitor_by.${visitor.kind}`)],
        ]}
      />
      <p className="note" data-look="warn">
        {t('support.visitor_unproved')}
      </p>
    </section>
  );
}

export function Steps({ thread, mayNote }: { thread: SupportCase; mayNote: boolean }) {
  const { t, dateTime } = useTexts();
  const note = useAct(noteSupport);
  const [text, setText] = useState('');
  return (
    <section className="card bd col">
      <h2>{t('support.before')}</h2>
      {thread.steps.length === 0 && <p className="c">{t('support.no_steps')}</p>}
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
            label={t('support.note')}
            placeholder={t('support.note_hint')}
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
            {t('support.note_save')}
          </Button>
        </>
      )}
    </section>
  );
}

export function HandOver({ id, onClose }: { id: string; onClose: () => void }) {
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
          label={t('support.to')}
          placeholder={t('support.to_hint')}
          list="desks"
          required
          fault={act.refused?.fields.to}
        />
        <datalist id="desks">
          <option value="support" />
          <option value="compliance" />
        </datalist>
        <TextArea name="note" dir="auto" label={t('support.hand_note')} required fault={act.refused?.fields.note} />
        <Refusal refused={act.refused} />
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
