import type { Cast } from './cast.ts';
import type { Stage } from './stage.ts';

/**
 * A few calls that leave something to see. A scene may be played again after a crash in its middle: what it did before
 * is then done already, so each call is one that a second try does not change, or that refuses it.
 */
export interface Scene {
  readonly name: string;
  play(stage: Stage, cast: Cast): Promise<void>;
}
