import { randomBytes } from 'node:crypto';
import {
  type ContentKind,
  type ContentLanguage,
  type ContentSettings,
  type ContentWords,
  type ParsedRequestOf,
  readRichText,
  saveContent,
} from '@sathorn/api';
import { accept, type Decision, refuse } from '@sathorn/settlement';
import type { Transaction } from '../../platform/database/index.ts';
import { type Handler, handle, type OperatorSession } from '../../platform/edge/index.ts';
import { isOneLineKind, isSingleKind, pictureIdsOf } from './contents.ts';
import {
  type ContentEntryRow,
  findEntry,
  findUnknownPictures,
  insertEntryRow,
  insertVersionRow,
  lockEntryRow,
} from './contents-store.ts';
import type { PublishingModule } from './publishing.ts';
import { readCurrentContent, viewContentEntry } from './view-content.ts';

type Request = ParsedRequestOf<typeof saveContent>;
type Refusal = (typeof saveContent.refusals)[number];

/** Checks the words of one language. A line of a banner has no body. */
function readWords(kind: ContentKind, { title = '', summary = '', body }: Request): Decision<ContentWords, Refusal> {
  if (title === '') return refuse('title_missing', { field: 'title' });
  if (isOneLineKind(kind) || body === undefined) return accept({ title, summary, body: [] });
  const read = readRichText(body);
  if (!read.ok) return refuse(read.refusal, { field: 'body' });
  return accept({ title, summary, body: read.tree as ContentWords['body'] });
}

/** Inserts a new entry, or locks the entry to be changed and checks that it is the version that the operator saw. */
async function takeEntry(
  transaction: Transaction,
  operator: OperatorSession,
  { id, kind, version }: Request,
): Promise<Decision<{ entry: ContentEntryRow; version: number }, Refusal>> {
  if (id === undefined) {
    const made = randomBytes(12).toString('base64url');
    const isMade = await insertEntryRow(transaction, made, kind, operator.id);
    const entry = isMade ? await findEntry(transaction, made) : null;
    return entry === null
      ? refuse(isSingleKind(kind) ? 'single_exists' : 'content_unknown')
      : accept({ entry, version: 0 });
  }
  const entry = await lockEntryRow(transaction, id);
  if (entry === null || entry.kind !== kind) return refuse('content_unknown', { field: 'id' });
  const standing = await readCurrentContent(transaction, id);
  if (standing.version !== version) return refuse('version_stale', { params: { version: String(standing.version) } });
  return accept({ entry, version });
}

async function save(
  module: PublishingModule,
  transaction: Transaction,
  operator: OperatorSession,
  request: Request,
): Promise<Decision<ContentEntryRow, Refusal>> {
  const { kind, lang, picture = '', link = '', place = 'home' } = request;
  const words = lang === 'settings' ? null : readWords(kind, request);
  if (words !== null && !words.ok) return words;
  const content: ContentSettings | ContentWords = words?.effect ?? { picture, link, place };
  const named = words
    ? pictureIdsOf({ settings: { picture: '', link: '', place }, texts: { [lang as ContentLanguage]: words.effect } })
    : picture.startsWith('@') || picture === ''
      ? []
      : [picture];
  if ((await findUnknownPictures(transaction, named)).length > 0)
    return refuse('picture_unknown', { field: lang === 'settings' ? 'picture' : 'body' });

  const taken = await takeEntry(transaction, operator, request);
  if (!taken.ok) return taken;
  const { entry, version } = taken.effect;
  await insertVersionRow(transaction, entry.id, version + 1, lang, content, operator.id);
  // Withdraws the request for a second person, because it was for the text before this change.
  const waiting = await module.findWaiting(transaction, 'content', entry.id);
  if (waiting) await module.approvals.close(transaction, waiting.id, 'stale');
  await module.audit.append(transaction, {
    operator,
    what: 'content.saved',
    on: { kind: 'content', id: entry.id },
    after: { kind, part: lang, version: String(version + 1) },
  });
  return accept(entry);
}

/** Thrown to roll the transaction back, so that a refused entry is not stored. */
class Refused extends Error {
  readonly decision: Extract<Decision<never, Refusal>, { ok: false }>;
  constructor(decision: Extract<Decision<never, Refusal>, { ok: false }>) {
    super(decision.refusal);
    this.decision = decision;
  }
}

export function saveContentHandler(module: PublishingModule): Handler {
  return handle(saveContent, async ({ operator, request, now }) => {
    try {
      const entry = await module.database.transaction(async (transaction) => {
        const saved = await save(module, transaction, operator, request);
        if (!saved.ok) throw new Refused(saved);
        return saved.effect;
      });
      return accept(await viewContentEntry(module, entry, now));
    } catch (error) {
      if (error instanceof Refused) return error.decision;
      throw error;
    }
  });
}
