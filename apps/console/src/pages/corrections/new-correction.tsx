import {
  CORRECTION_CASES,
  CORRECTION_KINDS,
  type CORRECTION_REASONS,
  listCorrectionCases,
  listCorrections,
  makeCorrection,
  previewCorrection,
} from '@sathorn/api';
import { useRead } from '@sathorn/app/client';
import { Button } from '@sathorn/ui';
import { useState } from 'react';
import { CustomerField } from '../../parts/customer-field.tsx';
import { Field, Select, TextArea } from '../../parts/field.tsx';
import { CustomerSeesNote, DueClock, Facts, GroupedText, Money, Tag } from '../../parts/parts.tsx';
import { ScrollRegion } from '../../parts/scroll-region.tsx';
import { ReadGate, RefusalNote } from '../../parts/states.tsx';
import { StepUp } from '../../parts/step-up.tsx';
import { useTexts } from '../../parts/texts/index.ts';
import { goToRoute, routeHash, useRoute } from '../../route.ts';
import { refusedActOf } from '../../use-act.ts';
import { useProposal } from '../../use-proposal.ts';
import './corrections.css';
import { CheckList, CorrectionLegs } from './parts.tsx';
import { useCorrectionTexts } from './texts.ts';

type Kind = (typeof CORRECTION_KINDS)[number];
const REASONS: Readonly<Record<Kind, readonly (typeof CORRECTION_REASONS)[number][]>> = {
  refund: ['charged_twice', 'fee_wrong', 'settlement_fault', 'deposit_lost', 'kept_receipt'],
  goodwill: ['goodwill'],
  reverse: ['credited_wrongly', 'settlement_fault', 'reorg'],
};

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/i;
const PAGES_OF_CASES = { disputes: 'dispute', incidents: 'incident', corrections: 'journal' } as const;

/** Parses a pasted id, or a pasted link to a page of the console, which also gives the kind. */
function pastedCase(text: string): { case_id: string; case_kind?: string } {
  const page = /#\/([a-z]+)\//.exec(text)?.[1] as keyof typeof PAGES_OF_CASES | undefined;
  const kind = page && PAGES_OF_CASES[page];
  return { case_id: UUID.exec(text)?.[0].toLowerCase() ?? text.trim(), ...(kind && { case_kind: kind }) };
}

/** Builds the request; empty fields are left out. `customer` is the number of the customer that the form has found. */
function requestOf(fields: Readonly<Record<string, string>>, customer: string) {
  const kind = CORRECTION_KINDS.find((one) => one === fields.kind) ?? 'refund';
  const isAboutError = kind !== 'goodwill';
  const kept = kind === 'refund' ? fields.kept : undefined;
  const wanted = {
    kept,
    amount: kept ? undefined : fields.amount,
    house: isAboutError ? fields.house : undefined,
    transfer: isAboutError && !kept ? fields.transfer?.replace(/^#/, '') : undefined,
    deposit: kind === 'refund' && !kept && !fields.transfer ? fields.deposit : undefined,
  };
  return {
    kind,
    customer,
    reason: REASONS[kind].find((one) => one === fields.reason) ?? REASONS[kind][0] ?? 'goodwill',
    case_kind: CORRECTION_CASES.find((one) => one === fields.case_kind) ?? 'dispute',
    case_id: fields.case_id?.trim() ?? '',
    ...Object.fromEntries(
      Object.entries(wanted).flatMap(([name, value]) => (value?.trim() ? [[name, value.trim()]] : [])),
    ),
  };
}

/** The form. Links from a journal or a dispute fill it in through the address. */
export default function NewCorrection() {
  const { t, code, amount, dateTime } = useTexts();
  const { b, word } = useCorrectionTexts();
  const { filter } = useRoute();
  const [fields, setFields] = useState<Readonly<Record<string, string>>>({ kind: 'refund', ...filter });
  // The preview is updated when a field loses the focus, so that not every keystroke sends a request.
  const [asked, setAsked] = useState(fields);
  const make = useProposal(makeCorrection, b('send'), ({ id }) => goToRoute('corrections', id, { tab: 'waiting' }));
  const q = asked.customer?.trim() ?? '';
  const sequence = asked.transfer?.replace(/^#/, '').trim() ?? '';
  const found = useRead(
    listCorrectionCases,
    { q, ...(/^[1-9][0-9]{0,17}$/.test(sequence) && { transfer: sequence }) },
    { enabled: q !== '', tries: 1 },
  );
  const known = q !== '' && !found.error ? found.data : undefined;
  const number = known?.customer.id ?? '';
  const request = requestOf(fields, number);
  const wanted = requestOf(asked, number);
  const { kind } = request;
  const isReady =
    wanted.customer !== '' &&
    UUID.test(wanted.case_id) &&
    (wanted.kind === 'goodwill' ? 'amount' in wanted : 'transfer' in wanted || 'deposit' in wanted || 'kept' in wanted);
  const preview = useRead(previewCorrection, wanted, { enabled: isReady, tries: 1 });
  const against = isReady && preview.error ? refusedActOf(preview.error.failure) : null;
  const shown = isReady && !preview.error ? preview.data : undefined;
  const unknown = q !== '' && found.error ? refusedActOf(found.error.failure) : null;
  const faults: Readonly<Record<string, string | undefined>> = {
    ...against?.fields,
    ...make.refused?.fields,
    ...(unknown && { customer: unknown.fields.q ?? unknown.message }),
    ...(known && sequence !== '' && known.transfer === null && { transfer: b('no_transfer') }),
    ...(wanted.case_id !== '' && !UUID.test(wanted.case_id) && { case_id: b('no_id') }),
  };
  const set = (name: string, value: string, isWhole = false) => {
    const next = { ...fields, [name]: value };
    setFields(next);
    if (isWhole) setAsked(next);
  };
  const setAll = (some: Readonly<Record<string, string>>) => {
    const next = { ...fields, ...some };
    setFields(next);
    setAsked(next);
  };
  const field = (name: string, label: string, placeholder?: string, note?: React.ReactNode) => (
    <div>
      <Field
        label={label}
        value={fields[name] ?? ''}
        fault={faults[name]}
        {...(placeholder !== undefined && { placeholder })}
        onChange={({ target }) => set(name, target.value)}
      />
      {note && !faults[name] && <p className="c field-note">{note}</p>}
    </div>
  );
  const kept = kind === 'refund' ? fields.kept : undefined;
  const cases: (readonly [string, string])[] = [
    ...(kept ? [[`kept ${fields.case_id}`, word('case', 'kept')] as const] : []),
    ...(known?.transfer
      ? [[`journal ${known.transfer.journal}`, b('case.of_transfer', { number: sequence })] as const]
      : []),
    ...(known?.disputes.map(
      ({ id, kind: about, order, status, at }) =>
        [
          `dispute ${id}`,
          `${word('case', 'dispute')}: ${word('md.kind', about)} ${order.length > 20 ? order.slice(0, 8) : order} · ${t(`disputes.${status}`)} · ${dateTime(at)}`,
        ] as const,
    ) ?? []),
    ...(known?.incidents.map(
      ({ id, severity, at }) =>
        [
          `incident ${id}`,
          `${word('case', 'incident')}: ${t(`incident.severity.${severity}`)} · ${dateTime(at)}`,
        ] as const,
    ) ?? []),
  ];
  const chosen = `${request.case_kind} ${request.case_id}`;
  const isPasted = fields.case_id !== undefined && fields.case_id !== '' && !cases.some(([value]) => value === chosen);
  const [isPasting, setPasting] = useState(false);
  const pastes = isPasting || (isPasted && known !== undefined);
  return (
    <div className="page two">
      <form
        className="card split"
        onBlur={() => setAsked(fields)}
        onSubmit={(event) => {
          event.preventDefault();
          void make.propose({ ...request, words: fields.words ?? '' });
        }}
      >
        <div className="hd line wrap">
          <h2>{b('draft')}</h2>
          <Tag look="brand">{b('needs_second')}</Tag>
          <span className="r c">{b('never_sets')}</span>
        </div>
        <ScrollRegion look="bd col" label={b('draft')}>
          <div className="correction-kinds" role="radiogroup" aria-label={b('draft')}>
            {CORRECTION_KINDS.map((one) => (
              <label key={one} className="correction-kind" data-on={one === kind ? '' : undefined}>
                <input type="radio" name="kind" checked={one === kind} onChange={() => set('kind', one, true)} />
                <b>{word('kind', one)}</b>
                <span>{b(`kind.${one}.lead`)}</span>
              </label>
            ))}
          </div>
          <div className="correction-fields">
            <CustomerField
              label={b('field.customer')}
              value={fields.customer ?? ''}
              fault={faults.customer}
              placeholder={b('field.customer.hint')}
              found={known?.customer ?? null}
              onChange={(typed) => set('customer', typed)}
            />
            {kept && <Facts facts={[[b('kept_receipt'), <GroupedText key="kept" text={kept} />]]} />}
            {kind !== 'goodwill' &&
              !kept &&
              field(
                'transfer',
                b('field.transfer'),
                b('field.transfer.hint'),
                known?.transfer && (
                  <a href={routeHash('corrections', known.transfer.journal, { tab: 'journals' })}>
                    {code('purpose', known.transfer.purpose)} · {amount(known.transfer.amount)} {known.transfer.asset} ·{' '}
                    {dateTime(known.transfer.at)}
                  </a>
                ),
              )}
            {kind === 'refund' && !kept && !fields.transfer && (
              <Select
                label={b('field.deposit')}
                value={fields.deposit ?? ''}
                options={[
                  ['', b(known?.deposits.length === 0 ? 'deposits.none' : 'deposits.choose')],
                  ...(known?.deposits.map(
                    (one) => [one.id, `${one.order} · ${amount(one.amount)} USDT · ${dateTime(one.at)}`] as const,
                  ) ?? []),
                ]}
                onChange={({ target }) =>
                  setAll({ deposit: target.value, ...(target.value && { reason: 'deposit_lost' }) })
                }
              />
            )}
            <Select
              label={b('field.case_kind')}
              value={pastes ? 'other' : isPasted ? '' : request.case_id === '' ? '' : chosen}
              options={[['', b('case.choose')], ...cases, ['other', b('case.other')]]}
              onChange={({ target }) => {
                setPasting(target.value === 'other');
                const [case_kind = '', case_id = ''] = target.value === 'other' ? [] : target.value.split(' ');
                setAll({ case_kind: case_kind || 'dispute', case_id });
              }}
            />
            {pastes && (
              <Field
                label={b('field.case_id')}
                value={fields.case_id ?? ''}
                fault={faults.case_id}
                placeholder={b('case.paste')}
                onChange={({ target }) => setAll(pastedCase(target.value))}
              />
            )}
            {pastes && (
              <Select
                label={b('case.kind')}
                value={request.case_kind}
                options={CORRECTION_CASES.map((one) => [one, word('case', one)] as const)}
                onChange={({ target }) => set('case_kind', target.value, true)}
              />
            )}
            {kind !== 'goodwill' && (
              <Select
                label={b(`field.house.${kind}`)}
                value={fields.house ?? ''}
                options={[
                  ['', b('house.own')],
                  ['house_capital', word('account', 'house_capital')],
                ]}
                onChange={({ target }) => set('house', target.value, true)}
              />
            )}
            {kept ? (
              <p className="c field-note">{b('kept_amount')}</p>
            ) : (
              field('amount', b('field.amount'), kind === 'goodwill' ? undefined : b('field.amount.all'))
            )}
            <Select
              label={b('field.reason')}
              value={request.reason}
              options={REASONS[kind].map((one) => [one, word('why', one)] as const)}
              onChange={({ target }) => set('reason', target.value, true)}
            />
          </div>
          <TextArea
            label={b('field.words')}
            value={fields.words ?? ''}
            dir="auto"
            maxLength={1000}
            fault={make.refused?.fields.words}
            onChange={({ target }) => set('words', target.value)}
          />
          <RefusalNote refused={make.refused ?? against} />
          {shown ? (
            <>
              <CorrectionLegs legs={shown.legs} isPosted={false} />
              <CheckList checks={shown.checks} />
            </>
          ) : (
            !against && <p className="note">{b('fill')}</p>
          )}
        </ScrollRegion>
        <div className="foot wrap">
          <span className="c grow">
            {shown && b('can_check', { roles: shown.roles.map((role) => t(`role.${role as 'admin'}`)).join(', ') })}
          </span>
          <Button type="submit" size="small" busy={make.isBusy} disabled={!shown || !fields.words?.trim()}>
            {b('send')}
          </Button>
        </div>
      </form>
      {make.signing && (
        <StepUp {...make.signing}>
          <Facts
            facts={[
              [b('customer'), `${known?.customer.username ?? ''} · ${number}`],
              [word('kind', kind), shown ? `${amount(shown.amount)} ${shown.asset}` : ''],
              [b('house'), shown ? word('account', shown.house) : ''],
              [b('field.reason'), word('why', request.reason)],
            ]}
          />
        </StepUp>
      )}
      <Beside view={shown?.customer_view ?? null} />
    </div>
  );
}

function Beside({ view }: { view: string | null }) {
  const { dateTime, amount } = useTexts();
  const { b, word } = useCorrectionTexts();
  const waiting = useRead(listCorrections, { tab: 'waiting' }, { everyMs: 10_000 });
  const posted = useRead(listCorrections, { tab: 'posted' }, { everyMs: 30_000 });
  return (
    <div className="col correction-beside">
      {view !== null && (
        <section className="card bd col">
          <CustomerSeesNote>{view}</CustomerSeesNote>
          <p className="c">{b('where_seen')}</p>
        </section>
      )}
      <section className="card">
        <div className="hd">
          <h2>{b('waiting_list')}</h2>
        </div>
        <ReadGate query={waiting} rows={2}>
          {({ items }) =>
            items.length === 0 ? (
              <p className="bd c">{b('none.waiting')}</p>
            ) : (
              <div className="list">
                {items.slice(0, 6).map((item) => (
                  <a key={item.id} href={routeHash('corrections', item.id, { tab: 'waiting' })}>
                    <span className="row sp">
                      <b className="mono">{item.number}</b>
                      <DueClock due={item.expires_at} from={item.made_at} />
                    </span>
                    <span className="c">
                      {word('kind', item.kind)} <Money of={item.amount} asset={item.asset} /> {item.asset} ·{' '}
                      <bdi>{item.customer.username}</bdi> · {b('made_by', { name: item.made_by.work_name })}
                    </span>
                  </a>
                ))}
              </div>
            )
          }
        </ReadGate>
      </section>
      <section className="card">
        <ReadGate query={posted} rows={2}>
          {({ items, sums }) => (
            <>
              <div className="hd">
                <h2>{b('posted_90')}</h2>
                <span className="r c">
                  {sums
                    .map(
                      ({ kind, count, amount: sum, asset }) =>
                        `${word('kind', kind)} ${b('sum', { count, amount: amount(sum), asset })}`,
                    )
                    .join(', ')}
                </span>
              </div>
              <table className="s">
                <tbody>
                  {items.slice(0, 8).map((item) => (
                    <tr key={item.id}>
                      <td className="mono">
                        <a href={routeHash('corrections', item.id, { tab: 'posted' })}>{item.number}</a>
                      </td>
                      <td>{word('kind', item.kind)}</td>
                      <td className="num b">
                        <Money of={item.moved ?? item.amount} asset={item.asset} />
                      </td>
                      <td className="c">{item.ended_at && dateTime(item.ended_at)}</td>
                      <td className="c">
                        {item.made_by.work_name}, {item.checked_by}
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
              {items.length === 0 && <p className="bd c">{b('none.posted')}</p>}
            </>
          )}
        </ReadGate>
      </section>
    </div>
  );
}
