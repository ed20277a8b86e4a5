/** The customer of the sign-in page. Exists in demo mode only, and is marked as a demo person wherever it is shown. */
export const DEMO_CUSTOMER = { username: 'nicha', password: 'Chao9Phraya', paypass: '830274' } as const;
