import { useNavigation } from '@sathorn/app/navigation';
import { PageBar } from '@sathorn/app/shell';
import { Button, Card, CardHead, EmptyState, TextField, useText } from '@sathorn/ui';
import { useState } from 'react';
import { isOffered } from '../paths.ts';
import { findArticles, HELP_GROUPS } from './help-articles.ts';
import { HelpTexts } from './help-texts.tsx';
import './help.css';

/** `#/pages/service/help`: questions and answers with a search, for everybody. */
export default function Help() {
  return (
    <HelpTexts>
      <Body />
    </HelpTexts>
  );
}

function Body() {
  const { t } = useText<'help'>();
  const { navigate } = useNavigation();
  const [query, setQuery] = useState('');
  const groups = HELP_GROUPS.map(({ group, articles }) => {
    const told = articles
      .filter(({ path }) => isOffered(path))
      .map(({ id, path }) => ({
        id,
        path,
        title: t(`help.${id}.title`),
        body: t(`help.${id}.body`),
      }));
    return { group, articles: findArticles(told, query) };
  }).filter(({ articles }) => articles.length > 0);
  const isSearching = query.trim() !== '';
  return (
    <>
      <PageBar title={t('help.title')} />
      <div className="page">
        <TextField
          label={t('help.search')}
          labelUnseen
          type="search"
          placeholder={t('help.search')}
          value={query}
          onChange={(event) => setQuery(event.target.value)}
        />
        {groups.map(({ group, articles }) => (
          <Card key={group} className="help-group">
            <CardHead title={t(`help.group.${group}`)} />
            {articles.map(({ id, path, title, body }) => (
              // A search shows the answers that it found at once.
              <details key={`${id} ${isSearching}`} open={isSearching}>
                <summary>{title}</summary>
                {body.split('\n').map((paragraph) => (
                  <p key={paragraph} className="muted">
                    {paragraph}
                  </p>
                ))}
                <Button size="small" look="soft" onClick={() => navigate(path)}>
                  {t('help.open')}
                </Button>
              </details>
            ))}
          </Card>
        ))}
        {groups.length === 0 && (
          <Card>
            <EmptyState title={t('help.none', { query: query.trim() })}>{t('help.none_lead')}</EmptyState>
          </Card>
        )}
        {isOffered('/pages/service/index') && (
          <Button look="soft" icon="headset" onClick={() => navigate('/pages/service/index')}>
            {t('help.ask')}
          </Button>
        )}
      </div>
    </>
  );
}
