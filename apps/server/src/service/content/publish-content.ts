import { createHash } from 'node:crypto';
import { type ParsedRequestOf, plainText, publishContent } from '@sathorn/api';
import { accept, type Decision, refuse } from '@sathorn/settlement';
import type { Transaction } from '../../platform/database/index.ts';
import { type Handler, handle, type OperatorSession } from '../../platform/edge/index.ts';
import { faultOfPublishedText } from '../../staff/staff-text.ts';
import { checkContent } from './check-content.ts';
import {
  type ContentTexts,
  canonicalContentOf,
  isSingleKind,
  peopleForContent,
  wordsInLanguage,
  writtenLanguagesOf,
} from './contents.ts';
import { type ContentEntryRow, insertPublicationRow, lockEntryRow, readEntryPublications } from './contents-store.ts';
import type { PublishingModule } from './publishing.ts';
import { RULES_NOTICE_DAYS, rulesOfKind } from './rules.ts';
import { type CurrentContent, contentDigestOf, readCurrentContent, viewContentEntry } from './view-content.ts';

type Request = ParsedRequestOf<typeof publishContent>;
type Refusal = (typeof publishContent.refusals)[number];

const DAY_MS = 24 * 3_600_000;
/** A notice opens over the app until it is read, so its duration is limited. */
const NOTICE_MAX_MS = 90 * DAY_MS;
const AHEAD_MAX_MS = 366 * DAY_MS;
const WAITS_MS = 3 * DAY_MS;
/** The time for the second person to agree to new rules before their notice period begins. */
const AGREEING_MS = 3_600_000;
/** The time to sign a proposal. A start within it stays as it was sent, because its maker signs it. */
const SIGNING_MS = 600_000;
const CHECKERS = ['compliance', 'admin'] as const;

interface Wanted {
  readonly from: Date;
  readonly to: Date | null;
}

function timesOf(
  kind: ContentEntryRow['kind'],
  { from, to }: Request,
  people: number,
  now: Date,
): Decision<Wanted, Refusal> {
  const wanted = { from: from === undefined ? now : new Date(from), to: to === undefined ? null : new Date(to) };
  // Where one person publishes, a start in the past means a start now.
  const begins = people > 1 ? wanted.from : new Date(Math.max(wanted.from.getTime(), now.getTime()));
  if (begins.getTime() - now.getTime() > AHEAD_MAX_MS) return refuse('times_wrong', { field: 'from' });
  if (wanted.to !== null && wanted.to.getTime() <= Math.max(begins.getTime(), now.getTime()))
    return refuse('times_wrong', { field: 'to' });
  if (kind === 'notice') {
    if (wanted.to === null) return refuse('end_missing', { field: 'to' });
    if (wanted.to.getTime() - begins.getTime() > NOTICE_MAX_MS) return refuse('times_wrong', { field: 'to' });
  }
  const of = rulesOfKind(kind);
  if (of !== null && begins.getTime() < now.getTime() + RULES_NOTICE_DAYS[of] * DAY_MS + AGREEING_MS) {
    const earliest = new Date(now.getTime() + RULES_NOTICE_DAYS[of] * DAY_MS + AGREEING_MS);
    return refuse('notice_too_short', { field: 'from', params: { from: earliest.toISOString() } });
  }
  // The app always needs one published text of these kinds, so it can't have an end.
  if (isSingleKind(kind) && wanted.to !== null) return refuse('times_wrong', { field: 'to' });
  if (people > 1 && (from === undefined || wanted.from.getTime() < now.getTime() - SIGNING_MS))
    return refuse('times_wrong', { field: 'from' });
  return accept({ from: begins, to: wanted.to });
}

function mayBePublished(
  module: PublishingModule,
  kind: ContentEntryRow['kind'],
  standing: CurrentContent,
  request: Request,
): Decision<null, Refusal> {
  const { brand } = module;
  if (standing.version !== request.version)
    return refuse('version_stale', { params: { version: String(standing.version) } });
  if (contentDigestOf(standing) !== request.fingerprint) return refuse('fingerprint_stale');
  const failed = checkContent(kind, standing, brand.locale).filter(({ ok, blocks }) => !ok && blocks);
  if (failed.some(({ code }) => code === 'promise_in_text')) return refuse('promise_in_text');
  if (failed.some(({ code }) => code === 'body_missing')) return refuse('body_missing');
  if (failed.some(({ code }) => code === 'value_missing' || code === 'value_unknown' || code === 'figure_typed'))
    return refuse('rules_values_wrong');
  const missing = failed.filter(({ code }) => code === 'language_missing').map(({ lang }) => lang);
  // The other languages fall back to the text in the brand's own language, so that one is required. Rules bind
  // everybody, so they must exist in every language.
  const isAccepted = request.missing === 'accepted' && rulesOfKind(kind) === null;
  if (missing.includes(brand.locale) || (missing.length > 0 && !isAccepted))
    return refuse('language_missing', { params: { count: String(missing.length) } });
  if (standing.settings.picture === '' && (kind === 'activity' || kind === 'welfare' || kind === 'banner'))
    return refuse('picture_missing');
  return accept(null);
}

/** The first fault of a text in any language: it asks for a secret or a payment. */
function faultOfTexts(texts: ContentTexts) {
  for (const { title, summary, body } of Object.values(texts)) {
    const fault = faultOfPublishedText([title, summary, plainText(body)].join('\n'));
    if (fault) return fault;
  }
  return null;
}

async function publish(
  module: PublishingModule,
  transaction: Transaction,
  operator: OperatorSession,
  request: Request,
  intent: string,
  now: Date,
): Promise<Decision<ContentEntryRow, Refusal>> {
  const { approvals, audit, stepUps, brand } = module;
  const { id, audience, note } = request;
  const entry = await lockEntryRow(transaction, id);
  if (entry === null) return refuse('content_unknown', { field: 'id' });
  const { kind } = entry;
  const standing = await readCurrentContent(transaction, id);
  const may = mayBePublished(module, kind, standing, request);
  if (!may.ok) return may;
  const people = peopleForContent(kind, audience, standing.texts);
  const times = timesOf(kind, request, people, now);
  if (!times.ok) return times;
  // The maker signs the id too, so it follows from the request.
  const publication = createHash('sha256').update(intent).digest().subarray(0, 12).toString('base64url');
  // The same request again, which has had its effect.
  if ((await readEntryPublications(transaction, id)).some(({ id: known }) => known === publication))
    return accept(entry);
  if (await module.isWaiting(transaction, 'content', id)) return refuse('approval_waits');
  const isForAll = audience === 'all';
  if ((isSingleKind(kind) && !isForAll) || (kind !== 'notice' && audience.startsWith('customer:')))
    return refuse('audience_unknown', { field: 'audience' });
  if (audience.startsWith('customer:') && !(await module.isCustomer(BigInt(audience.slice('customer:'.length)))))
    return refuse('audience_unknown', { field: 'audience' });

  const { from, to } = times.effect;
  // A notice to one customer is checked here, because nobody else reads it before it is sent.
  const fault = people === 1 && kind === 'notice' ? faultOfTexts(standing.texts) : null;
  if (fault) return refuse(fault);
  const rules = rulesOfKind(kind);
  // Rules must be the same for everybody.
  if (rules !== null && audience !== 'all') return refuse('audience_unknown', { field: 'audience' });
  const content = canonicalContentOf(standing);
  const own = wordsInLanguage(standing.texts, brand.locale, brand.locale);
  const row = { id: publication, entry: id, kind, content, version: standing.version, audience, from, to, people };
  const said = {
    kind,
    version: String(standing.version),
    digest: request.fingerprint,
    audience,
    from: from.toISOString(),
    to: to?.toISOString() ?? '',
  };
  if (people === 1) {
    const of = { act: 'content.publish', subject: id, fingerprint: request.fingerprint };
    const confirmed = await stepUps.spend(transaction, operator, of);
    if (!confirmed.ok) return confirmed;
    await insertPublicationRow(transaction, { ...row, approval: null, madeBy: operator.id, publishedAt: now });
  } else {
    const opened = await approvals.propose(transaction, operator, {
      kind: 'content',
      subject: id,
      fingerprintOf: {
        ...said,
        publication,
        title: own?.title ?? '',
        text: own ? plainText(own.body) : '',
        languages: writtenLanguagesOf(standing.texts),
      },
      roles: CHECKERS,
      // The only recipient of a notice may not approve it.
      ...(audience.startsWith('customer:') && { about: [BigInt(audience.slice('customer:'.length))] }),
      ...(note !== undefined && { reason: note }),
      expiresAt: new Date(
        Math.min(
          now.getTime() + WAITS_MS,
          to?.getTime() ?? Number.POSITIVE_INFINITY,
          // A later approval would give customers less notice than promised.
          rules === null ? Number.POSITIVE_INFINITY : from.getTime() - RULES_NOTICE_DAYS[rules] * DAY_MS,
        ),
      ),
    });
    if (!opened.ok) return opened;
    await insertPublicationRow(transaction, {
      ...row,
      approval: opened.effect.id,
      madeBy: operator.id,
      publishedAt: null,
    });
  }
  await audit.append(transaction, {
    operator,
    what: people === 1 ? 'content.published' : 'content.check_asked',
    on: { kind: 'content', id },
    after: { ...said, publication },
    ...(note !== undefined && { note }),
  });
  return accept(entry);
}

export function publishContentHandler(module: PublishingModule): Handler {
  return handle(publishContent, async ({ operator, request, intent, now }) => {
    // A refusal does not roll back, so all checks precede the first write, except the confirmation, which is used up.
    const done = await module.database.transaction((transaction) =>
      publish(module, transaction, operator, request, intent.id, now),
    );
    if (!done.ok) return done;
    module.shelf.forget();
    await module.deliverDue();
    return accept(await viewContentEntry(module, done.effect, now));
  });
}
