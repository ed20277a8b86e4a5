export { type BeaconClient, openBeaconClient } from './beacon-client.ts';
export type { Boxes } from './boxes.ts';
export { demoBoxes } from './demo-boxes.ts';
export { boxOfferKind } from './offer-kind.ts';
export { openBoxes } from './open-boxes.ts';
export type { ProposedBox } from './publish-box.ts';
