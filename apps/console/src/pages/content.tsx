import {
  CONTENT_KINDS,
  type ContentItem,
  type ContentKind,
  listContents,
  RULES_KINDS,
  readContent,
} from '@sathorn/api';
import { useRead } from '@sathorn/app/client';
import { Late, type LoadPart } from '@sathorn/app/late';
import { Button } from '@sathorn/ui';
import { useState } from 'react';
import { hasAnyRole, useOperator } from '../operator.ts';
import { Tag } from '../parts/parts.tsx';
import { EmptyState, ReadGate, SkeletonList } from '../parts/states.tsx';
import { type TextKey, useTexts } from '../parts/texts/index.ts';
import { useList } from '../parts/use-list.ts';
import { goToRoute, routeHash, useRoute } from '../route.ts';
import { PageHeader } from '../shell/page-header.tsx';
import type { EditorProps } from './content/editor.tsx';
import './content/content.css';

const loadEditor: LoadPart<EditorProps> = () => import('./content/editor.tsx');
const loadPictures: LoadPart = () => import('./content/pictures-page.tsx');
const loadRules: LoadPart = () => import('./content/rules-texts.tsx');

const TABS: readonly { readonly name: string; readonly label: TextKey; readonly kinds: readonly ContentKind[] }[] = [
  { name: 'notice', label: 'content.tab.notice', kinds: ['notice'] },
  { name: 'banner', label: 'content.tab.banner', kinds: ['banner'] },
  { name: 'activity', label: 'content.tab.activity', kinds: ['activity', 'welfare'] },
  { name: 'rule', label: 'content.tab.rule', kinds: RULES_KINDS },
  { name: 'kept', label: 'content.tab.kept', kinds: [] },
  { name: 'about', label: 'content.tab.about', kinds: ['about', 'intro', 'company', 'scroll_notice', 'share'] },
  { name: 'pictures', label: 'content.pictures', kinds: [] },
];
const LOOKS: Readonly<Partial<Record<ContentItem['status'], 'ok' | 'warn' | 'danger' | 'brand'>>> = {
  published: 'ok',
  scheduled: 'brand',
  waiting: 'warn',
  taken_down: 'danger',
};

export default function Content() {
  const { t } = useTexts();
  const { filter } = useRoute();
  const tab = TABS.find(({ name }) => name === filter.tab) ?? TABS[0];
  if (!tab) return null;
  return (
    <>
      <PageHeader
        title={t('nav.content')}
        tabs={TABS.map(({ name, label }) => ({ name, label: t(label) }))}
        current={tab.name}
        onTab={(name) => goToRoute('content', null, { tab: name })}
      />
      {tab.name === 'kept' && <Late load={loadRules} waiting={<SkeletonList />} />}
      {tab.name === 'pictures' && <Late load={loadPictures} waiting={<SkeletonList />} />}
      {tab.kinds.length > 0 && <Entries key={tab.name} tab={tab.name} kinds={tab.kinds} />}
    </>
  );
}

function Entries({ tab, kinds }: { tab: string; kinds: readonly ContentKind[] }) {
  const { t, code, dateTime } = useTexts();
  const operator = useOperator();
  const { id } = useRoute();
  const [page, setPage] = useState('');
  const query = useRead(listContents, { kinds: kinds.join(','), page }, { everyMs: 10_000 });
  useList(query.data?.items.map((item) => item.id) ?? [], id, (next) => goToRoute('content', next, { tab }));
  // An id such as `new-activity` opens an empty editor; the server stores nothing until the first save.
  const fresh = CONTENT_KINDS.find((kind) => id === `new-${kind}` && kinds.includes(kind));
  const mayAdd = tab !== 'about' && tab !== 'rule' && hasAnyRole(operator, ['content']);
  return (
    <div className="page three">
      <section className="card split">
        {mayAdd && (
          <div className="hd line wrap">
            {kinds.map((kind) => (
              <Button key={kind} size="small" look="soft" onClick={() => goToRoute('content', `new-${kind}`, { tab })}>
                {t('content.new', { kind: code('content.kind', kind) })}
              </Button>
            ))}
          </div>
        )}
        <ReadGate query={query}>
          {({ items, next }) => (
            <>
              {items.length === 0 && <EmptyState title={t('content.none')} />}
              <div className="list scroll">
                {items.map((item) => (
                  <a
                    key={item.id}
                    href={routeHash('content', item.id, { tab })}
                    className={item.id === id ? 'on' : ''}
                    data-chosen={item.id === id ? '' : undefined}
                  >
                    <b>
                      <bdi>{item.title}</bdi>
                    </b>
                    <span className="row sp c">
                      <span>
                        {kinds.length > 1 && `${code('content.kind', item.kind)} · `}
                        {t('content.languages', { n: item.languages.length })}
                        {item.readers !== null && ` · ${t('content.readers', { n: item.readers })}`}
                      </span>
                      <Tag look={LOOKS[item.status]}>{code('content.status', item.status)}</Tag>
                    </span>
                    <span className="c">{dateTime(item.changed_at)}</span>
                  </a>
                ))}
              </div>
              {(next !== null || page !== '') && (
                <div className="foot">
                  {page !== '' && (
                    <Button size="small" look="soft" onClick={() => setPage('')}>
                      {t('act.newest')}
                    </Button>
                  )}
                  {next !== null && (
                    <Button size="small" look="soft" onClick={() => setPage(next)}>
                      {t('act.older')}
                    </Button>
                  )}
                </div>
              )}
            </>
          )}
        </ReadGate>
      </section>
      {fresh ? (
        <LateEditor key={`new-${fresh}`} entry={null} kind={fresh} tab={tab} />
      ) : id ? (
        <Entry key={id} id={id} tab={tab} />
      ) : (
        <p className="empty">{t('pane.choose')}</p>
      )}
    </div>
  );
}

function LateEditor(props: EditorProps) {
  return (
    <Late load={loadEditor} waiting={<SkeletonList />}>
      {(Editor) => <Editor {...props} />}
    </Late>
  );
}

function Entry({ id, tab }: { id: string; tab: string }) {
  const query = useRead(readContent, { id }, { everyMs: 15_000 });
  return <ReadGate query={query}>{(entry) => <LateEditor entry={entry} kind={entry.kind} tab={tab} />}</ReadGate>;
}
