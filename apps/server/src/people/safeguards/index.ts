export { openSafeguards } from './open-safeguards.ts';
export { openPlayGuards } from './play-guards.ts';
export type { Safeguards, SafeguardsDependencies } from './safeguards.ts';
