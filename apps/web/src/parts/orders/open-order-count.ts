import { create } from 'zustand';

/** How many options are open, for the tab bar, which is there before the code that follows orders. */
export const useOpenOrderCount = create<{ count: number }>(() => ({ count: 0 }));
