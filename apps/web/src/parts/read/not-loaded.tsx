import { type Failure, failureText } from '@sathorn/app/client';
import { Card, ErrorState, SkeletonRows, useText } from '@sathorn/ui';

export interface NotLoadedProps {
  read: { readonly error: { readonly failure: Failure } | null | undefined; readonly refetch: () => unknown };
  /** The title of an error. Without a title, the error's sentence takes its place. */
  failed?: string | undefined;
  /** The number of rows in the skeleton. */
  rows?: number | undefined;
}

/** Shown in place of content that is loading or could not be read. */
export function NotLoaded({ read: { error, refetch }, failed, rows = 6 }: NotLoadedProps) {
  const texts = useText();
  if (!error) return <SkeletonRows rows={rows} label={texts.t('shell.loading')} />;
  const sentence = failureText(error.failure, texts);
  return (
    <ErrorState
      title={failed ?? sentence}
      action={{ label: texts.t('shell.try_again'), onPress: () => void refetch() }}
    >
      {failed && sentence}
    </ErrorState>
  );
}

/** The same in its own card. */
export function CardNotLoaded(props: NotLoadedProps) {
  return (
    <Card>
      <NotLoaded {...props} />
    </Card>
  );
}

/** The same as a whole page. */
export function PageNotLoaded(props: NotLoadedProps) {
  return (
    <div className="page">
      <CardNotLoaded {...props} />
    </div>
  );
}
