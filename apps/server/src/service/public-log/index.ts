export { openPublicLog } from './open-public-log.ts';
