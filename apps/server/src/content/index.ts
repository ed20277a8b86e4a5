import type { Handler } from '../edge/index.ts';
import { listRatesHandler } from './list-rates.ts';
import { listSlidesHandler } from './list-slides.ts';
import { listWinsHandler } from './list-wins.ts';
import type { Content } from './open-content.ts';
import { readConfigHandler } from './read-config.ts';
import { readRulesHandler } from './read-rules.ts';

export { BRANDS, type Brand } from './brands.ts';
export type { RateSource } from './display-rates.ts';
export { type Content, type ContentDoors, openContent, type RecentWin } from './open-content.ts';
export { openRules, type Rules, type RulesParams } from './rules.ts';
export { PICTURES_FOLDER } from './slides.ts';

export function contentHandlers(content: Content): Handler[] {
  return [
    readConfigHandler(content),
    listSlidesHandler(content),
    listWinsHandler(content),
    listRatesHandler(content),
    readRulesHandler(content),
  ];
}
