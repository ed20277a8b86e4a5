import { ErrorState, useText } from '@sathorn/ui';
import { type ComponentType, lazy, type ReactNode, Suspense, useCallback, useEffect, useState } from 'react';
import { showToast } from '../shell/toasts.ts';
import { onStreamReturn } from '../stream/live.ts';
import { ErrorBoundary } from './error-boundary.tsx';

/** Imports a part of a screen that has its own chunk. A constant of its module, because it identifies the part. */
export type LoadPart<Props = object> = () => Promise<{ default: ComponentType<Props> }>;

const parts = new WeakMap<object, ComponentType<never>>();

function partOf<Props>(load: LoadPart<Props>): ComponentType<Props> {
  const known = parts.get(load) ?? (lazy(load) as unknown as ComponentType<never>);
  parts.set(load, known);
  return known as unknown as ComponentType<Props>;
}

/** Loads a part ahead. Errors are ignored here; rendering the part reports them. */
export const preloadPart = (load: () => Promise<unknown>): void => void load().catch(() => {});

/** A value of `failed` for a part that the page can do without: renders nothing. */
export const renderNothing = (): null => null;

interface LateProps<Props> {
  load: LoadPart<Props>;
  /** Reserves the part's space until it is loaded. */
  waiting?: ReactNode;
  /** Shown when the part cannot be loaded; by default an error with a button. */
  failed?: (retry: () => void) => ReactNode;
  /**
   * For a sheet: its code is loaded when it first opens. The sheet then stays mounted, so that it can slide away and
   * return the focus.
   */
  sheet?: { readonly open: boolean; readonly onClose: () => void };
  children?: (Part: ComponentType<Props>) => ReactNode;
}

/** A part whose code is loaded later; the rest of the page does not depend on it. */
export function Late<Props = object>({
  load,
  waiting = null,
  failed = (retry) => <Failed onRetry={retry} />,
  sheet,
  children = (Part) => <Part {...({} as Props & object)} />,
}: LateProps<Props>) {
  const [attempt, setAttempt] = useState(0);
  const [isNeeded, setNeeded] = useState(sheet?.open ?? true);
  if (sheet?.open && !isNeeded) setNeeded(true);
  // A lazy component requests its code only once, so a retry needs a new one.
  const retry = useCallback(() => {
    parts.delete(load);
    setAttempt((attempts) => attempts + 1);
  }, [load]);
  if (!isNeeded) return null;
  const onSheetFailed = () => {
    retry();
    setNeeded(false);
    sheet?.onClose();
  };
  return (
    <ErrorBoundary key={attempt} instead={sheet ? <SheetFailed onFailed={onSheetFailed} /> : failed(retry)}>
      <Suspense fallback={waiting}>{children(partOf(load))}</Suspense>
    </ErrorBoundary>
  );
}

/** A button that loads the part again. The part also reloads by itself when the connection returns. */
function Failed({ onRetry }: { onRetry: () => void }) {
  const { t } = useText();
  useEffect(() => onStreamReturn(onRetry), [onRetry]);
  return <ErrorState title={t('chunk.failed')} action={{ label: t('shell.try_again'), onPress: onRetry }} />;
}

/** Reports that the sheet cannot open, so that its button can be pressed again. */
function SheetFailed({ onFailed }: { onFailed: () => void }) {
  const { t } = useText();
  // biome-ignore lint/correctness/useExhaustiveDependencies: once per failure.
  useEffect(() => {
    showToast(t('chunk.failed'), 'danger');
    onFailed();
  }, []);
  return null;
}
