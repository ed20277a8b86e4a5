import { Late, type LoadPart } from '@sathorn/app/late';
import { Skeleton } from '@sathorn/ui';
import type { ChangesProps } from './changes/changes.tsx';
import type { PreviewProps } from './preview.tsx';
import type { PublishBarProps } from './publish-bar.tsx';

const loadChanges: LoadPart<ChangesProps> = () => import('./changes/changes.tsx');
const loadPreview: LoadPart<PreviewProps> = () => import('./preview.tsx');
const loadBar: LoadPart<PublishBarProps> = () => import('./publish-bar.tsx');

export function LateChanges(props: ChangesProps) {
  return (
    <Late load={loadChanges} waiting={<Skeleton height={90} />}>
      {(Changes) => <Changes {...props} />}
    </Late>
  );
}

export function LatePreview(props: PreviewProps) {
  return (
    <Late load={loadPreview} waiting={<Skeleton height={400} />}>
      {(Preview) => <Preview {...props} />}
    </Late>
  );
}

export function LatePublishBar(props: PublishBarProps) {
  return (
    <Late load={loadBar} waiting={<Skeleton height={120} />}>
      {(PublishBar) => <PublishBar {...props} />}
    </Late>
  );
}
