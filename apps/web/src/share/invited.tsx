import { type Invited as InvitedPerson, listInvites } from '@sathorn/api';
import { rowsOfPages, useRead, useReadPages } from '@sathorn/app/client';
import { useNavigation } from '@sathorn/app/navigation';
import { PageBar } from '@sathorn/app/shell';
import { formatCount, formatDate, formatDecimalText } from '@sathorn/text';
import { Avatar, Card, EmptyState, useText } from '@sathorn/ui';
import { ListEnd } from '../parts/list/list-end.tsx';
import { NoRows } from '../parts/list/no-rows.tsx';
import { ShareTexts } from './share-texts.tsx';
import './share.css';

/** `#/pages/index/share/invited`: the invited customers. */
export default function Invited() {
  return (
    <ShareTexts>
      <Body />
    </ShareTexts>
  );
}

function Body() {
  const { t, presentation } = useText<'share'>();
  const { navigate } = useNavigation();
  const list = useReadPages(listInvites, {}, { freshForMs: 10_000 });
  const { data } = useRead(listInvites, {}, { freshForMs: 10_000 });
  const people = rowsOfPages(list.data);
  return (
    <>
      <PageBar title={t('share.people')} />
      <div className="page">
        {data && (
          <Card className="share-totals num">
            <span>
              <small className="muted">{t('share.signed_up')}</small>
              <b>{formatCount(data.came, presentation)}</b>
            </span>
            <span>
              <small className="muted">{t('share.certified')}</small>
              <b>{formatCount(data.certified, presentation)}</b>
            </span>
            <span>
              <small className="muted">{t('share.points')}</small>
              <b>{formatDecimalText(data.points, presentation)}</b>
            </span>
          </Card>
        )}
        <Card tight>
          {people.length > 0 ? (
            <>
              <ul>
                {people.map((person) => (
                  <Row key={`${person.at} ${person.name}`} person={person} />
                ))}
              </ul>
              <ListEnd list={list} />
            </>
          ) : (
            <NoRows
              list={list}
              failed={t('share.list_failed')}
              none={
                <EmptyState
                  picture="people"
                  title={t('share.none')}
                  action={{ label: t('screen.share'), onPress: () => navigate('/pages/index/share') }}
                >
                  {t('share.none_lead')}
                </EmptyState>
              }
              rows={4}
            />
          )}
        </Card>
        <Card>
          <h2 className="share-title">{t('share.hidden_title')}</h2>
          <p className="muted">{t('share.hidden')}</p>
        </Card>
      </div>
    </>
  );
}

function Row({ person }: { person: InvitedPerson }) {
  const { t, presentation } = useText<'share'>();
  const { name, at, certified, finding, points } = person;
  const isRewarded = finding === 'rewarded';
  return (
    <li className="share-person">
      <Avatar name={name} size={36} />
      <span>
        <b>
          <bdi>{name}</bdi>
        </b>
        <small className="muted">
          {t(certified ? 'share.state.certified' : 'share.state.signed_up')}{' '}
          <time dateTime={at}>{formatDate(at, 'date', presentation)}</time>
          {finding !== null && !isRewarded && <span className="share-why">{t(`share.no.${finding}`)}</span>}
        </small>
      </span>
      <b className="num" data-tone={isRewarded ? 'success' : undefined}>
        {isRewarded ? `+${formatDecimalText(points, presentation)}` : '–'}
      </b>
    </li>
  );
}
