import { CALLS, type Call, type LiveTopic, TOPICS } from '@sathorn/api';
import { screenFile } from '@sathorn/app/screen-table';
import { handlersOf } from '../tidy/calls.ts';
import type { SourceTree } from '../tidy/tree.ts';

const NOTE = '<!-- Written by `npm run docs` from the code; edit that instead. -->';

export interface ScreenRow {
  readonly path: string;
  readonly also?: readonly string[];
  readonly access: string;
  readonly bar: string;
}

function fieldsOf(call: Call): string {
  const schema = call.request as {
    entries?: Record<string, { type: string }>;
    pipe?: { entries?: Record<string, { type: string }> }[];
  };
  const entries = schema.entries ?? schema.pipe?.[0]?.entries ?? {};
  return Object.entries(entries)
    .map(([name, { type }]) => (type === 'optional' ? `${name}?` : name))
    .join(', ');
}

const MERGED = {
  last: () => 'the newest event',
  by_code: () => 'the newest item of each coin',
  every: (max: number) =>
    Number.isFinite(max) ? `every item; a snapshot when there are more than ${max}` : 'every item',
  reread: () => 'a snapshot, read again for each reader',
} as const satisfies Record<LiveTopic['merge'], (max: number) => string>;

function topicRows(): string[] {
  const topics: readonly LiveTopic[] = Object.values(TOPICS);
  return topics.map(
    ({ pattern, who, summary, merge, max }) => `| \`${pattern}\` | ${who} | ${summary} | ${MERGED[merge](max)} |`,
  );
}

/** Returns `docs/api.md`: each call, who may make it, its fields, its refusals, and the file that handles it. */
export function apiPage(tree: SourceTree, calls: Readonly<Record<string, Call>> = CALLS): string {
  const rows = Object.entries(calls)
    .sort(([, a], [, b]) => (a.path < b.path ? -1 : a.path > b.path ? 1 : a.method < b.method ? -1 : 1))
    .map(([name, call]) => {
      const [handler] = handlersOf(name, tree);
      const refusals = call.refusals.length > 0 ? call.refusals.map((refusal) => `\`${refusal}\``).join(' ') : '–';
      const link = handler ? `[${handler.replace('apps/server/src/', '')}](../${handler})` : '–';
      return `| \`${call.method} ${call.path}\` | ${name} | ${call.who} | ${fieldsOf(call) || '–'} | ${refusals} | ${link} |`;
    });
  return [
    '# The calls',
    '',
    NOTE,
    '',
    'Base `/api` (but `/demo`); requests form-encoded, uploads multipart; answers `{ret, msg, data}`. The table in the code is',
    '`packages/api`; server routes, the app’s client, this page and `/api/docs` are made from it.',
    '',
    '| call | name | who | request | refusals | handler |',
    '|---|---|---|---|---|---|',
    ...rows,
    '',
    '## Live topics',
    '',
    'Over the WebSocket `/api/stream`; the frames are described in `packages/api/src/stream.ts`. A subscription begins with a snapshot.',
    '',
    '| topic | who | what it tells | a frame carries |',
    '|---|---|---|---|',
    ...topicRows(),
    '',
  ].join('\n');
}

/** The loaders of the app's screens, by path. */
export type ScreenFiles = Readonly<Record<string, () => Promise<unknown>>>;

/** Returns `docs/screens.md`: each hash path with its file. */
export function screensPage(screens: readonly ScreenRow[], files: ScreenFiles): string {
  const rows = screens.map((screen) => {
    const load = files[screen.path];
    const file = load ? screenFile(load) : '';
    const paths = [...(screen.also ?? []).filter(Boolean), screen.path].map((path) => `\`#${path}\``).join(' ');
    return `| ${paths} | [${file}](../apps/web/src/${file}) | ${screen.access} | ${screen.bar} |`;
  });
  return ['# The screens', '', NOTE, '', '| hash path | file | who | bar |', '|---|---|---|---|', ...rows, ''].join(
    '\n',
  );
}
