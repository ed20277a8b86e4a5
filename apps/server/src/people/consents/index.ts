export type { Consents, ConsentsDependencies } from './consents.ts';
export { openConsents } from './open-consents.ts';
