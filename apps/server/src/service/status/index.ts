export { openStatus } from './open-status.ts';
