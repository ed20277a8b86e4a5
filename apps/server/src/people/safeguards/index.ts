export { openSafeguards, type Safeguards, type SafeguardsDependencies } from './open-safeguards.ts';
