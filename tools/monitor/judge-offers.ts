/** The terms that the platform shows are the logged ones, and each change of them was logged before it began. */
import { type Canonical, canonicalText } from '@sathorn/proof';
import { type Finding, findingOf, spellDuration, spellTime } from './finding.ts';
import { type LogMemory, membersOf, type ReadRecord, recordsOf, TOLERANCE_MS, textOf } from './follow-log.ts';

const HOUR_MS = 3_600_000;
/** How long before its beginning a change of each kind is known, in hours (docs/verification.md, section 26). */
export const NOTICE_HOURS: Readonly<Record<string, number>> = {
  lockup: 24,
  liquidity: 168,
  option: 24,
  option_sale: 24,
  coin: 24,
  fee: 168,
  withdrawal: 168,
  level: 168,
  switch: 24,
  threshold: 24,
  box: 0,
  ladder: 24,
};

type Fields = { readonly [name: string]: Canonical };

export interface Version {
  /** `option/BTC`. */
  readonly of: string;
  readonly number: number;
  readonly fromMs: number;
  readonly fields: Fields;
  readonly entry: ReadRecord;
  /** The entry that stopped it before it began. */
  readonly stop: ReadRecord | undefined;
}

const nameOf = ({ of, number }: Version): string => `${of}/${number}`;
const kindOf = (of: string): string => of.split('/')[0] ?? '';

export function readVersions(log: Pick<LogMemory, 'kept'>): {
  readonly versions: readonly Version[];
  readonly findings: readonly Finding[];
} {
  const findings: Finding[] = [];
  const versions = new Map<string, Version>();
  const stops = new Map(recordsOf(log, 'offer_stopped').map((entry) => [entry.record.subject, entry]));
  for (const entry of recordsOf(log, 'offer')) {
    const { subject, said } = entry.record;
    const [, of, number] = /^([a-z_]+\/[^/]+)\/([1-9][0-9]{0,8})$/.exec(subject) ?? [];
    const fields = membersOf(textOf(said, 'fields'));
    const fromMs = Number(textOf(said, 'effective_from'));
    if (of === undefined || fields === undefined || !Number.isSafeInteger(fromMs)) {
      findings.push(findingOf('offer', subject, `Entry ${entry.index} names terms of no known form.`, entry.text));
      continue;
    }
    const first = versions.get(subject);
    if (first === undefined)
      versions.set(subject, { of, number: Number(number), fromMs, fields, entry, stop: stops.get(subject) });
    else
      findings.push(
        findingOf('offer', subject, `The log names the terms ${subject} twice.`, first.entry.text, entry.text),
      );
  }
  return { versions: [...versions.values()], findings };
}

/** What is wrong with the versions by themselves: dated back, too little notice, one that is missing. */
export function judgeVersions(versions: readonly Version[]): Finding[] {
  const names = new Set(versions.map(nameOf));
  return versions.flatMap((version) => {
    const { of, number, fromMs, stop, entry } = version;
    const { tMs, isHistory, record, text } = entry;
    const name = nameOf(version);
    const findings: Finding[] = [];
    const find = (says: string, ...more: readonly string[]): void => {
      findings.push(findingOf('offer', name, says, text, ...more));
    };
    if (number > 1 && !names.has(`${of}/${number - 1}`)) find(`The log lacks the terms before ${name}.`);
    if (!isHistory && tMs - fromMs > TOLERANCE_MS)
      find(`The terms ${name} began ${spellDuration(tMs - fromMs)} before they were logged.`);
    // A date that the log contradicts is no notice.
    const knownMs = !isHistory && tMs - record.atMs > TOLERANCE_MS ? tMs : record.atMs;
    const noticeMs = (NOTICE_HOURS[kindOf(of)] ?? 0) * HOUR_MS;
    // The first terms of something change nothing for anybody.
    if (number > 1 && stop === undefined && fromMs - knownMs < noticeMs)
      find(`The terms ${name} have ${spellDuration(fromMs - knownMs)} of notice, not ${spellDuration(noticeMs)}.`);
    if (stop !== undefined && stop.record.atMs > fromMs)
      find(`The terms ${name} were stopped after they had begun, at ${spellTime(fromMs)}.`, stop.text);
    return findings;
  });
}

/** Versions of something that were in force at some moment of a span, newest first. */
function versionsWithin(versions: readonly Version[], of: string, fromMs: number, toMs: number): Version[] {
  const begun = versions
    .filter((version) => version.of === of && version.stop === undefined && version.fromMs <= toMs)
    .sort((a, b) => b.number - a.number);
  const last = begun.findIndex((version) => version.fromMs <= fromMs);
  return last < 0 ? begun : begun.slice(0, last + 1);
}

/** Amounts and rates in one spelling: `1.50` and `1.5` are the same. */
function plain(value: Canonical): Canonical {
  if (typeof value === 'string')
    return /^[0-9]+\.[0-9]+$/.test(value) ? value.replace(/0+$/, '').replace(/\.$/, '') : value;
  if (Array.isArray(value)) return (value as readonly Canonical[]).map(plain);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, plain(member)]));
}
const spell = (value: Canonical): string => canonicalText(plain(value));

const listOf = (value: Canonical | undefined): readonly Fields[] => (Array.isArray(value) ? (value as Fields[]) : []);
const pick = (fields: Fields, ...names: readonly string[]): Fields =>
  Object.fromEntries(names.map((name) => [name, fields[name] ?? null]));

/** What a public call shows of a version, by kind. Kinds without one are shown to customers only. */
export const SHOWN_OF: Readonly<Record<string, (fields: Fields) => Canonical>> = {
  option: (fields) =>
    listOf(fields.durations)
      .filter(({ offered }) => offered === true)
      .map(({ seconds = null, payout = null, fee = null }) => ({
        ...{ seconds, payout, fee },
        min: fields.stake_min ?? null,
        max: fields.stake_max ?? null,
      })),
  option_sale: (fields) =>
    fields.offered === true ? pick(fields, 'volatility', 'band', 'spread', 'closed_seconds') : null,
  coin: (fields) => pick(fields, 'amount_min', 'amount_max'),
  fee: (fields) => listOf(fields.levels).map((level) => pick(level, 'maker', 'taker')),
  lockup: (fields) => pick(fields, 'offered', 'daily_rate', 'min', 'max', 'quota'),
  liquidity: (fields) => ({
    ...pick(fields, 'offered', 'min'),
    stages: listOf(fields.stages).map((stage) => pick(stage, 'from', 'rate')),
  }),
};

/** Terms as a public call shows them now, in the shape of `SHOWN_OF`. */
export interface ShownTerms {
  readonly of: string;
  readonly terms: Canonical;
}

/** Terms that the platform announces. */
export interface ShownChange {
  readonly of: string;
  readonly fromMs: number;
  readonly fields: Fields;
}

export interface OffersCase {
  readonly versions: readonly Version[];
  readonly shown: readonly ShownTerms[];
  /** Null if they could not be read. */
  readonly changes: readonly ShownChange[] | null;
  readonly nowMs: number;
}

/** Compares what is shown with what the log names. Each process shows a change some seconds after its moment. */
export function judgeShownOffers({ versions, shown, changes, nowMs }: OffersCase): Finding[] {
  const findings: Finding[] = [];
  for (const { of, terms } of shown) {
    const project = SHOWN_OF[kindOf(of)];
    const within = versionsWithin(versions, of, nowMs - TOLERANCE_MS, nowMs);
    const [newest] = within;
    if (project === undefined) continue;
    if (newest === undefined)
      findings.push(findingOf('offer', of, `The platform shows terms of ${of}, and the log names none.`, spell(terms)));
    else if (!within.some(({ fields }) => spell(project(fields)) === spell(terms)))
      findings.push(
        findingOf(
          'offer',
          of,
          `The platform shows other terms of ${of} than version ${newest.number} in the log.`,
          spell(terms),
          newest.entry.text,
        ),
      );
  }
  for (const change of changes ?? []) {
    const { of, fromMs, fields } = change;
    const isLogged = versions.some(
      (version) => version.of === of && version.fromMs === fromMs && spell(version.fields) === spell(fields),
    );
    const noticeMs = (NOTICE_HOURS[kindOf(of)] ?? 0) * HOUR_MS;
    if (!isLogged && fromMs - nowMs < noticeMs - TOLERANCE_MS)
      findings.push(
        findingOf(
          'offer',
          of,
          `The platform announces terms of ${of} from ${spellTime(fromMs)} that the log does not name.`,
          spell(fields),
        ),
      );
  }
  if (changes !== null)
    for (const version of versions) {
      const { of, fromMs, stop, entry } = version;
      const isDue = stop === undefined && fromMs > nowMs + TOLERANCE_MS && nowMs - entry.tMs > TOLERANCE_MS;
      if (isDue && !changes.some((change) => change.of === of && change.fromMs === fromMs))
        findings.push(
          findingOf(
            'offer',
            nameOf(version),
            `The platform does not announce the terms ${nameOf(version)}, which begin at ${spellTime(fromMs)}.`,
            entry.text,
          ),
        );
    }
  return findings;
}
