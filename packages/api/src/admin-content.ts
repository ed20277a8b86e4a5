import * as v from 'valibot';
import { entryId } from './activities.ts';
import { caseVersion, decisionNote, fingerprint, staffMember, stepUpId } from './admin-fields.ts';
import { call } from './call.ts';
import {
  boundedText,
  choiceOf,
  chosenTime,
  cleanText,
  fieldFault,
  isoTime,
  noFields,
  pagedListOf,
  remarkText,
} from './fields.ts';
import { PROPOSED_REFUSALS } from './refusals.ts';
import { linkKind, PICTURE_ID, richText } from './rich-text.ts';

export const CONTENT_KINDS = [
  'notice',
  'banner',
  'activity',
  'welfare',
  'about',
  'intro',
  'company',
  'share',
  'scroll_notice',
  'rules_options',
  'rules_agreement',
  'rules_liquidity',
  'rules_lockup',
] as const;
export type ContentKind = (typeof CONTENT_KINDS)[number];
/** Each of these kinds always has exactly one entry. */
export const RULES_KINDS = ['rules_options', 'rules_agreement', 'rules_liquidity', 'rules_lockup'] as const;
export const SINGLE_KINDS = ['about', 'intro', 'company', 'share', 'scroll_notice', ...RULES_KINDS] as const;
export const CONTENT_LANGUAGES = ['th', 'en', 'zh', 'jp', 'ar', 'hi'] as const;
export type ContentLanguage = (typeof CONTENT_LANGUAGES)[number];
const CONTENT_STATUSES = ['draft', 'waiting', 'scheduled', 'published', 'ended', 'taken_down'] as const;
export const BANNER_PLACES = ['home', 'user1'] as const;

/** The readers: everyone, the customers of a level, or one customer. */
const audience = v.pipe(
  v.string(fieldFault('required')),
  v.regex(/^(?:all|level:[0-9]{1,2}|customer:[1-9][0-9]{0,17})$/, fieldFault('malformed')),
);

const line = (max: number) =>
  v.pipe(
    v.string(),
    v.transform((written) => cleanText(written).replaceAll('\n', ' ').trim()),
    v.maxLength(max, fieldFault('too_long')),
  );
const picture = v.pipe(
  v.string(),
  v.check((given) => given === '' || PICTURE_ID.test(given), fieldFault('id_malformed')),
);
const link = v.pipe(
  v.string(),
  v.check((given) => given === '' || linkKind(given) === 'page', fieldFault('malformed')),
);
const optionalTime = v.optional(chosenTime);

const contentSettings = v.object({ picture: v.string(), link: v.string(), place: v.picklist(BANNER_PLACES) });
export type ContentSettings = v.InferOutput<typeof contentSettings>;
const words = v.object({ title: v.string(), summary: v.string(), body: richText });
export type ContentWords = v.InferOutput<typeof words>;

const item = v.object({
  id: v.string(),
  kind: v.picklist(CONTENT_KINDS),
  /** The title in the brand's own language, or in the language that was written first. */
  title: v.string(),
  status: v.picklist(CONTENT_STATUSES),
  languages: v.array(v.picklist(CONTENT_LANGUAGES)),
  version: v.number(),
  /** The following fields are about the newest publication. */
  from: v.nullable(isoTime),
  to: v.nullable(isoTime),
  audience: v.nullable(v.string()),
  changed_at: isoTime,
  /** The number of customers who marked this notice as read. */
  readers: v.nullable(v.number()),
});
export type ContentItem = v.InferOutput<typeof item>;

const publication = v.object({
  id: v.string(),
  version: v.number(),
  audience: v.string(),
  from: isoTime,
  to: v.nullable(isoTime),
  people: v.number(),
  /** Null for a text that ships with the software. */
  made_by: v.nullable(staffMember),
  made_at: isoTime,
  published_at: v.nullable(isoTime),
  taken_down_at: v.nullable(isoTime),
  taken_down_by: v.nullable(staffMember),
});

const entry = v.object({
  ...item.entries,
  settings: contentSettings,
  /** The newest text of each language. */
  texts: v.array(
    v.object({
      lang: v.picklist(CONTENT_LANGUAGES),
      ...words.entries,
      version: v.number(),
      by: v.nullable(staffMember),
      at: isoTime,
    }),
  ),
  /** Faults and warnings: a code, with the language and the words concerned. */
  checks: v.array(
    v.object({
      code: v.picklist([
        'language_missing',
        'promise_in_text',
        'summary_missing',
        'body_missing',
        'times_differ',
        'figures',
        'second_person',
        'links',
        'value_missing',
        'value_unknown',
        'figure_typed',
      ]),
      ok: v.boolean(),
      /** False for a warning, which does not prevent publishing. */
      blocks: v.boolean(),
      lang: v.nullable(v.string()),
      words: v.array(v.string()),
    }),
  ),
  versions: v.array(v.object({ version: v.number(), part: v.string(), by: v.nullable(staffMember), at: isoTime })),
  publications: v.array(publication),
  /** The number of people, including the author, who must approve before this state is published to everyone. */
  people: v.number(),
  /** For rules: today's values of the placeholders in braces, such as `{quick}`. */
  values: v.nullable(
    v.array(v.object({ lang: v.picklist(CONTENT_LANGUAGES), values: v.record(v.string(), v.string()) })),
  ),
  /** For rules: the days between the second person's approval and the effect. */
  notice_days: v.nullable(v.number()),
  /** Digest of the current state. A confirmation to publish is valid for exactly this digest. */
  fingerprint: v.string(),
  /** The request that waits for a second person. */
  waiting: v.nullable(
    v.object({
      approval: v.string(),
      fingerprint: v.string(),
      made_by: staffMember,
      audience: v.string(),
      from: v.nullable(isoTime),
      to: v.nullable(isoTime),
      settings: contentSettings,
      texts: v.array(v.object({ lang: v.picklist(CONTENT_LANGUAGES), ...words.entries })),
      /** The newest publication, for the same readers or for everyone, that has not been taken down. */
      published: v.nullable(
        v.object({
          version: v.number(),
          at: isoTime,
          settings: contentSettings,
          texts: v.array(v.object({ lang: v.picklist(CONTENT_LANGUAGES), ...words.entries })),
        }),
      ),
    }),
  ),
});
export type ContentEntry = v.InferOutput<typeof entry>;

const READERS = ['content', 'admin', 'compliance'] as const;

export const listContents = call('GET /admin/content/lists', {
  who: 'operator',
  roles: READERS,
  summary: 'Entries of some kinds, what was changed last first. Kinds are joined by commas.',
  request: v.object({
    kinds: v.pipe(
      v.string(fieldFault('required')),
      v.transform((joined) => joined.split(',').filter(Boolean)),
      v.check(
        (given) => given.every((one) => (CONTENT_KINDS as readonly string[]).includes(one)),
        fieldFault('choice_unknown'),
      ),
    ),
    page: v.optional(v.pipe(v.string(), v.regex(/^(?:[0-9]{13}\.[A-Za-z0-9_-]{16})?$/, fieldFault('malformed')))),
  }),
  result: pagedListOf(item),
});

export const readContent = call('GET /admin/content/info', {
  who: 'operator',
  roles: READERS,
  summary: 'One entry: its texts, checks, versions and publications.',
  request: v.object({ id: entryId }),
  result: entry,
  refusals: ['content_unknown'],
});

export const readContentVersion = call('GET /admin/content/version', {
  who: 'operator',
  roles: READERS,
  summary: 'What was saved as this version.',
  request: v.object({ id: entryId, version: caseVersion }),
  result: v.object({ part: v.string(), words: v.nullable(words), settings: v.nullable(contentSettings) }),
  refusals: ['content_unknown'],
});

export const saveContent = call('POST /admin/content/save', {
  who: 'operator',
  roles: ['content'],
  summary:
    'Save a text in one language, or with `lang=settings` picture, link and place. Without `id` it makes an entry. Nothing is published.',
  request: v.object({
    id: v.optional(entryId),
    /** The version that the operator saw; 0 for a new entry. */
    version: caseVersion,
    kind: choiceOf(CONTENT_KINDS),
    lang: choiceOf([...CONTENT_LANGUAGES, 'settings']),
    title: v.optional(line(120)),
    summary: v.optional(line(240)),
    /** The tree of `rich-text.ts` as JSON. */
    body: v.optional(boundedText(1, 40_000)),
    picture: v.optional(picture),
    link: v.optional(link),
    place: v.optional(choiceOf(BANNER_PLACES)),
  }),
  result: entry,
  refusals: [
    'content_unknown',
    'version_stale',
    'markup_refused',
    'link_refused',
    'text_too_long',
    'title_missing',
    'single_exists',
    'picture_unknown',
  ],
});

export const publishContent = call('POST /admin/content/publish', {
  who: 'operator',
  roles: ['content'],
  summary:
    'Publish what stands, at once or from a time on, confirmed by `step_up`. Alone where one person may; otherwise a second person is asked, and `from` must be sent, because the proposal is signed.',
  request: v.object({
    id: entryId,
    version: caseVersion,
    fingerprint,
    from: optionalTime,
    to: optionalTime,
    audience: v.optional(audience, 'all'),
    /** Agrees that languages without a text show the text in the brand's own language. */
    missing: v.optional(choiceOf(['accepted'])),
    note: decisionNote,
    step_up: stepUpId,
  }),
  result: entry,
  refusals: [
    'content_unknown',
    'version_stale',
    'fingerprint_stale',
    'language_missing',
    'promise_in_text',
    'body_missing',
    'picture_missing',
    'rules_values_wrong',
    'notice_too_short',
    'times_wrong',
    'end_missing',
    'text_asks_for_secret',
    'text_asks_for_payment',
    'audience_unknown',
    'approval_waits',
    ...PROPOSED_REFUSALS,
  ],
});

export const takeDownContent = call('POST /admin/content/take_down', {
  who: 'operator',
  roles: ['content', 'admin', 'compliance'],
  summary: 'Take down what is published or scheduled; one person is enough, and it is gone at once.',
  request: v.object({ id: entryId, reason: remarkText(200) }),
  result: entry,
  refusals: ['content_unknown', 'not_published', 'kind_stays'],
});

const contentPicture = v.object({
  id: v.string(),
  url: v.string(),
  width: v.number(),
  height: v.number(),
  by: v.nullable(staffMember),
  at: v.nullable(isoTime),
});
export type ContentPicture = v.InferOutput<typeof contentPicture>;

export const uploadContentPicture = call('POST /admin/content/pictures', {
  who: 'operator',
  roles: ['content'],
  summary:
    'Upload a picture (multipart, field `image`); it is drawn again, without anything else that was in the file.',
  takesFile: true,
  request: noFields,
  result: contentPicture,
  refusals: ['picture_missing', 'picture_unreadable', 'picture_too_large', 'picture_slow', 'picture_quota_used'],
});

export const listContentPictures = call('GET /admin/content/pictures', {
  who: 'operator',
  roles: READERS,
  summary: 'Pictures of contents: uploaded ones, the newest first, and those that are shipped.',
  request: noFields,
  result: v.object({ items: v.array(contentPicture) }),
});

export const listRulesTexts = call('GET /admin/content/rules', {
  who: 'operator',
  roles: READERS,
  summary: 'Every English text of rules that a receipt may name, with all languages of those in force.',
  request: noFields,
  result: v.object({
    items: v.array(
      v.object({
        of: v.string(),
        hash: v.string(),
        in_force: v.boolean(),
        kept_at: v.nullable(isoTime),
        texts: v.array(v.object({ lang: v.picklist(CONTENT_LANGUAGES), content: v.string() })),
      }),
    ),
  }),
});
