import { create } from 'zustand';

/** The tab bar's number of open options, separate because the code that tracks orders loads later. */
export const useOpenOrderCount = create<{ count: number }>(() => ({ count: 0 }));
