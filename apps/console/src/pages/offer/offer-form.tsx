import {
  type OfferItem,
  previewOffer,
  type proposeBrand,
  type proposeCoin,
  type proposeProduct,
  type ResultOf,
} from '@sathorn/api';
import { Button } from '@sathorn/ui';
import { useState } from 'react';
import { brand } from '#brand';
import { Field, TextArea } from '../../parts/field.tsx';
import { fromLocalInput } from '../../parts/local-time.ts';
import { CheckResults, CustomerSeesNote, Facts } from '../../parts/parts.tsx';
import { RefusalNote } from '../../parts/states.tsx';
import { StepUp } from '../../parts/step-up.tsx';
import { useTexts } from '../../parts/texts/index.ts';
import { useAct } from '../../use-act.ts';
import { useProposal } from '../../use-proposal.ts';
import { OfferDiff } from './diff.tsx';
import { figureLookOf, listItemName, type OfferFields, percentOf, rateOfPercent, sortFields } from './offer-figures.ts';

type Propose = typeof proposeProduct | typeof proposeCoin | typeof proposeBrand;
type Preview = ResultOf<typeof previewOffer>;
/** A form's state: the terms, with each figure as it was typed. */
type Typed = { [name: string]: string | boolean | { [name: string]: string | boolean }[] };
const isList = (value: unknown): value is { [name: string]: string | boolean }[] => Array.isArray(value);
const typedOf = (name: string, value: unknown): string | boolean => {
  if (typeof value === 'boolean') return value;
  return figureLookOf(name, value) === 'rate' ? percentOf(String(value)) : String(value).replace(/\.0+$/, '');
};
const sentOf = (name: string, value: string | boolean): string | boolean =>
  typeof value === 'string' && figureLookOf(name, value) === 'rate' ? rateOfPercent(value.trim()) : value;

/** Initial values of the form for a product that has no terms yet. */
const EMPTY: Readonly<Record<string, OfferFields>> = {
  lockup: { offered: true, daily_rate: '0', min: '0', max: '0', quota: '0' },
  liquidity: { offered: true, min: '0', stages: [{ from: '0', rate: '0' }] },
};
const ADDABLE = new Set(['stages', 'durations']);

const typedFields = (fields: OfferFields): Typed =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      Array.isArray(value)
        ? value.map((item: OfferFields) =>
            Object.fromEntries(Object.entries(item).map(([field, one]) => [field, typedOf(field, one)])),
          )
        : typedOf(name, value),
    ]),
  );
const sentFields = (typed: Typed): string =>
  JSON.stringify(
    Object.fromEntries(
      Object.entries(typed).map(([name, value]) => [
        name,
        isList(value)
          ? value.map((item) =>
              Object.fromEntries(Object.entries(item).map(([field, one]) => [field, sentOf(field, one)])),
            )
          : sentOf(name, value),
      ]),
    ),
  );

/**
 * A form for new terms. The server checks the input and returns the figures and the customer's sentence; then the terms
 * go to a second person.
 */
export function OfferForm({ item, propose, onDone }: { item: OfferItem; propose: Propose; onDone: () => void }) {
  const texts = useTexts();
  const { t, code } = texts;
  const [typed, setTyped] = useState<Typed>(() => typedFields(item.in_force?.fields ?? EMPTY[item.kind] ?? {}));
  const [from, setFrom] = useState('');
  const [reason, setReason] = useState('');
  const [seen, setSeen] = useState<Preview | null>(null);
  const preview = useAct(previewOffer);
  const send = useProposal(
    propose as typeof proposeProduct,
    `${code('offer', item.kind)}: ${code('offer_subject', item.subject)}`,
    onDone,
  );
  const change = (next: Typed) => {
    setTyped(next);
    setSeen(null);
  };
  // The server refuses text that is not a time.
  const begins = fromLocalInput(from, brand.timeZone)?.toISOString() ?? from;
  const proposal = () => ({
    kind: item.kind as 'lockup',
    subject: item.subject,
    fields: sentFields(typed),
    effective_from: begins,
  });
  const faults = { ...preview.refused?.fields, ...send.refused?.fields };
  const input = (
    path: string,
    name: string,
    value: string | boolean,
    label: string,
    set: (to: string | boolean) => void,
  ) =>
    typeof value === 'boolean' ? (
      <label key={path} className="row sm">
        <input type="checkbox" checked={value} onChange={({ target }) => set(target.checked)} /> {label}
      </label>
    ) : (
      <Field
        key={path}
        label={figureLookOf(name, value) === 'rate' ? `${label} (%)` : label}
        inputMode={figureLookOf(name, value) === 'plain' ? 'text' : 'decimal'}
        value={value}
        fault={faults[`fields.${path}`]}
        onChange={({ target }) => set(target.value)}
      />
    );
  return (
    <>
      <form
        className="bd col scroll"
        onSubmit={async (event) => {
          event.preventDefault();
          if (seen === null) {
            const shown = await preview.run(proposal());
            if (shown.ok) setSeen(shown.data);
          } else await send.propose({ ...proposal(), reason });
        }}
      >
        {seen === null ? (
          <>
            {sortFields(typed).map(([name, value]) =>
              isList(value) ? (
                <fieldset key={name} className="offer-list">
                  <legend>{code('terms', name)}</legend>
                  {value.map((entry, n) => (
                    // biome-ignore lint/suspicious/noArrayIndexKey: rows are identified by their index
                    <div key={n} className="row">
                      {!ADDABLE.has(name) && <b className="sm">{listItemName(item.kind, name, entry, n, texts)}</b>}
                      {sortFields(entry).map(([field, one]) =>
                        input(`${name}.${n}.${field}`, field, one, code('terms', field), (to) =>
                          change({
                            ...typed,
                            [name]: value.map((other, at) => (at === n ? { ...other, [field]: to } : other)),
                          }),
                        ),
                      )}
                      {ADDABLE.has(name) && value.length > 1 && (
                        <Button
                          size="small"
                          look="soft"
                          onClick={() => change({ ...typed, [name]: value.filter((_, at) => at !== n) })}
                        >
                          {t('terms.remove')}
                        </Button>
                      )}
                    </div>
                  ))}
                  {faults[`fields.${name}`] && <p className="da sm">{faults[`fields.${name}`]}</p>}
                  {ADDABLE.has(name) && (
                    <Button
                      size="small"
                      look="soft"
                      onClick={() => change({ ...typed, [name]: [...value, { ...value.at(-1) }] })}
                    >
                      {t('terms.add')}
                    </Button>
                  )}
                </fieldset>
              ) : (
                input(name, name, value, code('terms', name), (to) => change({ ...typed, [name]: to }))
              ),
            )}
            <Field
              label={t(item.begins_at_midnight ? 'terms.from_day' : 'terms.from_time', {
                hours: String(item.notice_hours),
              })}
              type={item.begins_at_midnight ? 'date' : 'datetime-local'}
              value={from}
              fault={faults.effective_from}
              required
              onChange={({ target }) => setFrom(target.value)}
            />
            <RefusalNote refused={preview.refused} />
            <div className="row">
              <Button size="small" look="soft" onClick={onDone}>
                {t('act.cancel')}
              </Button>
              <Button type="submit" size="small" busy={preview.isBusy}>
                {t('terms.check')}
              </Button>
            </div>
          </>
        ) : (
          <>
            <OfferDiff kind={item.kind} before={seen.before} after={seen.after} from={begins} />
            <CheckResults checks={seen.checks} />
            <CustomerSeesNote>{seen.customer_view}</CustomerSeesNote>
            <TextArea
              label={t('approvals.reason')}
              value={reason}
              fault={faults.reason}
              required
              onChange={({ target }) => setReason(target.value)}
            />
            <RefusalNote refused={send.refused} />
            <div className="row">
              <Button size="small" look="soft" onClick={() => setSeen(null)}>
                {t('terms.back')}
              </Button>
              <Button type="submit" size="small" busy={send.isBusy} disabled={seen.checks.some(({ ok }) => !ok)}>
                {t('approvals.ask')}
              </Button>
            </div>
          </>
        )}
      </form>
      {send.signing && seen && (
        <StepUp {...send.signing}>
          <OfferDiff kind={item.kind} before={seen.before} after={seen.after} from={begins} />
          <Facts facts={[[t('customers.reason'), send.request?.reason]]} />
        </StepUp>
      )}
    </>
  );
}
