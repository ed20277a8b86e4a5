import { describe, expect, it } from 'vitest';
import { isOwnService, outsideServiceUrl } from './outside-service.ts';

const NICHA = { language: 'th', username: 'nicha', id: '1000000001' };

describe('the brand’s external service', () => {
  it.each([
    ['https://help.example/chat?shop=7', 'https://help.example/chat?shop=7&lan=th&name=nicha1000000001'],
    ['https://help.example/chat?lan=xx#top', 'https://help.example/chat?lan=th&name=nicha1000000001#top'],
    ['http://help.example/', null],
    ['javascript:alert(1)', null],
    ['data:text/html,x', null],
    ['https://sathorn.example@evil.example/', null],
    ['help.example', null],
    ['', null],
  ])('%s', (address, link) => {
    expect(outsideServiceUrl(address, NICHA)?.href ?? null).toBe(link);
  });

  it('receives nothing about a visitor except the language', () => {
    expect(outsideServiceUrl('https://help.example/', { language: 'ar' })?.href).toBe('https://help.example/?lan=ar');
  });

  it('is our own conversation if the brand has none', () => {
    expect(isOwnService('https://sathorn.example/#/pages/service/index')).toBe(true);
    expect(isOwnService('https://help.example/')).toBe(false);
  });
});
