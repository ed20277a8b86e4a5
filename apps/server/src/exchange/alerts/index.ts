export type { Alerts } from './alerts.ts';
export { openAlerts } from './open-alerts.ts';
