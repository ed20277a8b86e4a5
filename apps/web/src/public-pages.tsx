import { Late, type LoadPart } from '@sathorn/app/late';
import { useNavigation } from '@sathorn/app/navigation';
import { PageBar } from '@sathorn/app/shell';
import { SkeletonRows, Tabs, useText } from '@sathorn/ui';
import { StatusTexts } from './parts/status/status-texts.tsx';

const TABS = ['status', 'figures', 'verify'] as const;
type Tab = (typeof TABS)[number];
const LOADERS: Readonly<Record<Tab, LoadPart>> = {
  status: () => import('./status/status.tsx'),
  figures: () => import('./status/figures.tsx'),
  verify: () => import('./receipts/verify.tsx'),
};
const PATH = '/pages/verify/index';

/** `#/pages/verify/index`, open to everyone: the status, the public figures and the verification of receipts. */
export default function PublicPages() {
  return (
    <StatusTexts>
      <Body />
    </StatusTexts>
  );
}

function Body() {
  const { t } = useText<'status'>();
  const { query, redirect } = useNavigation();
  const tab = TABS.find((name) => name === query.get('tab')) ?? 'status';
  return (
    <>
      <PageBar title={t('status.title')} />
      <div className="page">
        <Tabs
          label={t('status.title')}
          value={tab}
          onChange={(next) => redirect(PATH, { tab: next })}
          panelId="public-pages"
          tabs={TABS.map((name) => ({ value: name, label: t(`status.tab.${name}`) }))}
        />
        <div className="stack" id="public-pages" role="tabpanel" aria-label={t(`status.tab.${tab}`)}>
          <Late key={tab} load={LOADERS[tab]} waiting={<SkeletonRows rows={7} label={t('shell.loading')} />} />
        </div>
      </div>
    </>
  );
}
