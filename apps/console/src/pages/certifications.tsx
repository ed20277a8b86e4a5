import { listCertifications } from '@sathorn/api';
import { hasAnyRole, useOperator } from '../operator.ts';
import { takeClaimAct } from '../parts/batch-acts.ts';
import { CasePage } from '../parts/case-page.tsx';
import { ClaimTag } from '../parts/claim.tsx';
import { DueClock, Tag } from '../parts/parts.tsx';
import { useTexts } from '../parts/texts/index.ts';
import { useLiveRead } from '../parts/use-live-read.ts';
import { useRoute } from '../route.ts';
import CertificationPane from './certifications/certification-pane.tsx';

export default function Certifications() {
  const texts = useTexts();
  const { t, code } = texts;
  const operator = useOperator();
  const { filter } = useRoute();
  const tab = filter.tab === 'decided' ? 'decided' : 'review';
  const query = useLiveRead(listCertifications, { status: tab });
  return (
    <CasePage
      page="certifications"
      title={t('nav.certifications')}
      tabs={[
        { name: 'review', label: t('case.review'), count: query.data?.counts.review },
        { name: 'decided', label: t('case.decided') },
      ]}
      tab={tab}
      query={query}
      items={({ items }) => items}
      empty={t('case.none')}
      line={(item) => (
        <>
          {' '}
          <span className="row sp">
            <b>
              <bdi>{item.customer.username}</bdi>
            </b>
            {item.status === 'review' ? (
              <DueClock due={item.promised_at} from={item.submitted_at} />
            ) : (
              <Tag>{t(`status.${item.status}`)}</Tag>
            )}
          </span>
          <span className="row sp c">
            <span>
              {t(`case.level.${item.level}`)} · {code('case.type', item.type)}
            </span>
            <ClaimTag kind="certification" id={item.id} />
          </span>
        </>
      )}
      foot={() => <p className="foot c">{t('case.oldest')}</p>}
      batch={[takeClaimAct(texts, 'certification')]}
      nameOf={({ customer }) => customer.username}
      pane={(id) =>
        hasAnyRole(operator, ['compliance']) ? (
          <CertificationPane key={id} id={id} />
        ) : (
          <p className="empty wide-only">{t('case.state_only')}</p>
        )
      }
    />
  );
}
