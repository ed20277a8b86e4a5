import type { ReactNode } from 'react';

/** A scrolling region. It takes the focus, so that arrow keys scroll it even when it contains no control. */
export function ScrollRegion({ label, look = '', children }: { label: string; look?: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: without focus, only a pointer could scroll it
    <section className={`${look} scroll`.trim()} aria-label={label} tabIndex={0}>
      {children}
    </section>
  );
}
