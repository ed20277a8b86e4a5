export { type Consents, type ConsentsDependencies, openConsents } from './open-consents.ts';
