import { INCIDENT_PARTS, INCIDENT_SEVERITIES } from '@sathorn/api';
import { expect, test } from 'vitest';
import { templateTexts } from './template-texts.ts';

test('a template names every part in every language and fills every placeholder', () => {
  for (const severity of INCIDENT_SEVERITIES) {
    const texts = Object.values(templateTexts(severity, INCIDENT_PARTS));
    expect(texts).toHaveLength(6);
    expect(new Set(texts).size).toBe(6);
    for (const text of texts) {
      expect(text).not.toMatch(/[{}]|undefined/);
      expect(text.length).toBeLessThanOrEqual(600);
    }
  }
  expect(templateTexts('degraded', ['prices', 'app']).en).toMatch(/^Prices, App: slower than usual\./);
});
