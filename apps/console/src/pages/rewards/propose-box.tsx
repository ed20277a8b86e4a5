import { proposeProduct } from '@sathorn/api';
import { Button } from '@sathorn/ui';
import { useState } from 'react';
import { Field, Select, TextArea } from '../../parts/field.tsx';
import { Facts } from '../../parts/parts.tsx';
import { RefusalNote } from '../../parts/states.tsx';
import { StepUp } from '../../parts/step-up.tsx';
import { useTexts } from '../../parts/texts/index.ts';
import { useProposal } from '../../use-proposal.ts';
import { useRewardTexts } from './texts.ts';

interface Row {
  readonly id: number;
  readonly prize: 'usdt' | 'points';
  readonly amount: string;
  readonly weight: string;
}
const FIRST: readonly Row[] = [
  { id: 1, prize: 'usdt', amount: '1', weight: '100' },
  { id: 2, prize: 'points', amount: '5', weight: '900' },
];
const LANGUAGES = ['en', 'th', 'zh', 'jp', 'ar', 'hi'] as const;
const TERMS = ['price', 'draws_max', 'days', 'usdt_budget', 'points_budget'] as const;
const HOUR_MS = 3_600_000;

/**
 * Proposes a blind box and shows the expected payout while the operator types the terms. `usualBeacon` is chosen until
 * the operator chooses another one.
 */
export function ProposeBox({ usualBeacon }: { readonly usualBeacon: string }) {
  const { say } = useRewardTexts();
  const { t, code } = useTexts();
  const [place, setPlace] = useState('1');
  const [names, setNames] = useState<Readonly<Record<string, string>>>({});
  const [terms, setTerms] = useState({
    price: '10',
    draws_max: '1000',
    days: '30',
    usdt_budget: '100',
    points_budget: '5000',
  });
  const [chosenBeacon, setBeacon] = useState<string | null>(null);
  const beacon = chosenBeacon ?? usualBeacon;
  const [rows, setRows] = useState(FIRST);
  const [hours, setHours] = useState('2');
  const [reason, setReason] = useState('');
  const [isDone, setDone] = useState(false);
  const act = useProposal(proposeProduct, t('rewards.ask'), () => setDone(true));

  const change = (id: number, next: Partial<Row>) =>
    setRows(rows.map((row) => (row.id === id ? { ...row, ...next } : row)));
  const sum = rows.reduce((all, { weight }) => all + (Number(weight) || 0), 0);
  const mean = (prize: Row['prize']): string => {
    const all = rows.reduce(
      (total, row) => (row.prize === prize ? total + (Number(row.amount) || 0) * (Number(row.weight) || 0) : total),
      0,
    );
    return sum === 0 ? '–' : (all / sum).toFixed(4);
  };
  const propose = () => {
    setDone(false);
    const fields = {
      ...terms,
      beacon,
      names: LANGUAGES.flatMap((language) =>
        names[language]?.trim() ? [{ language, name: names[language].trim() }] : [],
      ),
      table: rows.map(({ prize, amount, weight }) => ({ prize, amount, weight })),
    };
    const effectiveFrom = new Date(Date.now() + Number(hours) * HOUR_MS).toISOString();
    return act.propose({
      kind: 'box',
      subject: place,
      fields: JSON.stringify(fields),
      effective_from: effectiveFrom,
      reason,
    });
  };

  return (
    <>
      <p className="c">{say('box_how')}</p>
      <div className="fields">
        {LANGUAGES.map((language) => (
          <Field
            key={language}
            label={say('name_in', { language: code('rewards.language', language) })}
            value={names[language] ?? ''}
            maxLength={40}
            onChange={({ target }) => setNames({ ...names, [language]: target.value })}
          />
        ))}
      </div>
      <div className="fields">
        <Select
          label={say('place')}
          value={place}
          options={['1', '2', '3', '4'].map((one) => [one, one])}
          onChange={({ target }) => setPlace(target.value)}
        />
        {TERMS.map((name) => (
          <Field
            key={name}
            label={t(`rewards.${name}`)}
            inputMode="decimal"
            value={terms[name]}
            onChange={({ target }) => setTerms({ ...terms, [name]: target.value })}
          />
        ))}
        <Select
          label={t('rewards.beacon')}
          value={beacon}
          options={[
            ['none', say('beacon_none')],
            ['quicknet', 'drand quicknet'],
          ]}
          onChange={({ target }) => setBeacon(target.value)}
        />
      </div>
      {rows.map((row) => (
        <div key={row.id} className="row wrap">
          <Select
            label={say('prize')}
            value={row.prize}
            options={[
              ['usdt', 'USDT'],
              ['points', say('points')],
            ]}
            onChange={({ target }) => change(row.id, { prize: target.value === 'usdt' ? 'usdt' : 'points' })}
          />
          <Field
            label={say('amount')}
            inputMode="decimal"
            value={row.amount}
            onChange={({ target }) => change(row.id, { amount: target.value })}
          />
          <Field
            label={say('weight')}
            inputMode="numeric"
            value={row.weight}
            onChange={({ target }) => change(row.id, { weight: target.value })}
          />
          <Button
            size="small"
            look="plain"
            disabled={rows.length === 1}
            onClick={() => setRows(rows.filter(({ id }) => id !== row.id))}
          >
            {say('remove')}
          </Button>
        </div>
      ))}
      <div className="row wrap">
        <Button
          size="small"
          look="soft"
          disabled={rows.length >= 20}
          onClick={() =>
            setRows([
              ...rows,
              { id: Math.max(...rows.map(({ id }) => id)) + 1, prize: 'points', amount: '1', weight: '1' },
            ])
          }
        >
          {say('add_prize')}
        </Button>
        <span className="m">{say('mean', { usdt: mean('usdt'), points: mean('points'), sum })}</span>
      </div>
      {beacon === 'none' && <p className="note">{say('no_beacon')}</p>}
      <Select
        label={say('opens')}
        value={hours}
        options={['2', '6', '24', '72'].map((one) => [one, say('in_hours', { hours: one })])}
        onChange={({ target }) => setHours(target.value)}
      />
      <TextArea label={t('rewards.reason')} value={reason} onChange={({ target }) => setReason(target.value)} />
      <RefusalNote refused={act.refused} />
      {isDone && (
        <p className="note" data-look="ok" role="status">
          {t('rewards.proposed')}
        </p>
      )}
      <Button busy={act.isBusy} disabled={reason.trim() === ''} onClick={() => void propose()}>
        {t('rewards.ask')}
      </Button>
      {act.signing && (
        <StepUp {...act.signing}>
          <Facts
            facts={[
              ...LANGUAGES.flatMap((language) =>
                names[language]?.trim()
                  ? [[say('name_in', { language: code('rewards.language', language) }), names[language]] as const]
                  : [],
              ),
              [say('place'), place],
              ...TERMS.map((name) => [t(`rewards.${name}`), terms[name]] as const),
              [t('rewards.beacon'), beacon === 'none' ? say('beacon_none') : 'drand quicknet'],
              ...rows.map(
                ({ prize, amount, weight }, n) =>
                  [
                    `${say('prize')} ${n + 1}`,
                    `${amount} ${prize === 'usdt' ? 'USDT' : say('points')} · ${say('weight')} ${weight}`,
                  ] as const,
              ),
              [say('opens'), say('in_hours', { hours })],
              [t('rewards.reason'), reason],
            ]}
          />
          <p className="m">{say('mean', { usdt: mean('usdt'), points: mean('points'), sum })}</p>
        </StepUp>
      )}
    </>
  );
}
