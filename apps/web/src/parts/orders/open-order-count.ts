import { create } from 'zustand';

/** The number of open options for the tab bar, which is shown before the code that tracks orders is loaded. */
export const useOpenOrderCount = create<{ count: number }>(() => ({ count: 0 }));
