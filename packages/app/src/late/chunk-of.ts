import { type ComponentType, lazy } from 'react';

/** A part of a screen in a chunk of its own. */
export interface Chunk<Props> {
  readonly Part: ComponentType<Props>;
  /** Before it is drawn. Whether it came, drawing it tells. */
  fetch(): void;
  /** It could not be had: the next time that it is drawn it is asked for anew, which a lazy component does once only. */
  renew(): void;
}

export function chunkOf<Props>(load: () => Promise<{ default: ComponentType<Props> }>): Chunk<Props> {
  const part = () => lazy(load) as unknown as ComponentType<Props>;
  let Part = part();
  return {
    get Part() {
      return Part;
    },
    fetch: () => void load().catch(() => {}),
    renew: () => {
      Part = part();
    },
  };
}
