import type { ResultOf, readWaiting } from '@sathorn/api';

/** A waiting order as its own call answers it. */
export type ReadWaiting = ResultOf<typeof readWaiting>;
