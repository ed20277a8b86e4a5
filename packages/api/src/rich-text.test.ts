import { describe, expect, it } from 'vitest';
import { linkKind, plainText, type RichText, readRichText } from './rich-text.ts';
import { parseMarks, writeMarks } from './rich-text-marks.ts';

describe('H3 a link', () => {
  it.each([
    ['/pages/optionRule/index', 'page'],
    ['/pages/activeList/activeDetails?id=AbC_1-2', 'page'],
    ['https://www.sec.or.th/TH/Pages/Home.aspx?x=1', 'https'],
    ['javascript:alert(1)', null],
    ['JaVaScRiPt:alert(1)', null],
    [' javascript:alert(1)', null],
    ['data:text/html,<script>alert(1)</script>', null],
    ['vbscript:x', null],
    ['http://www.sec.or.th/', null],
    ['https://www.sec.or.th.evil.example/', null],
    ['https://www.sec.or.th@evil.example/', null],
    ['https://evil.example\\@www.sec.or.th/', null],
    ['https://www.sec.or.th:8443/', null],
    ['https://user:pass@www.sec.or.th/', null],
    ['//evil.example/', null],
    ['/pages/../../etc/passwd', null],
    ['/pages/x/y#javascript:alert(1)', null],
    ['/pages/x/y?id=<script>', null],
    ['https://www.sec.or.th/\u202ecod.exe', null],
    ['/api/users/logout', null],
    [`https://www.sec.or.th/${'a'.repeat(400)}`, null],
  ])('%s leads to %s', (link, kind) => expect(linkKind(link)).toBe(kind));
});

describe('a tree from outside', () => {
  const paragraph = (inline: object) => JSON.stringify([{ kind: 'paragraph', inlines: [inline] }]);
  const refused: readonly (readonly [what: string, json: string, refusal: string])[] = [
    ['no JSON', 'x', 'markup_refused'],
    ['a single block', '{"kind":"paragraph","inlines":[]}', 'markup_refused'],
    ['an unknown kind', '[{"kind":"html","inlines":[{"text":"x"}]}]', 'markup_refused'],
    ['a field more', paragraph({ text: 'x', style: 'position:fixed' }), 'markup_refused'],
    ['a text that is none', paragraph({ text: { toString: 'x' } }), 'markup_refused'],
    ['blocks within blocks', '[{"kind":"list","ordered":false,"items":[[{"kind":"paragraph"}]]}]', 'markup_refused'],
    ['deep nesting', '['.repeat(20_000), 'markup_refused'],
    [
      'too many blocks',
      JSON.stringify(Array(61).fill({ kind: 'paragraph', inlines: [{ text: 'x' }] })),
      'markup_refused',
    ],
    ['a huge text', paragraph({ text: 'x'.repeat(40_000) }), 'text_too_long'],
    ['a long text', paragraph({ text: 'ก'.repeat(5_001) }), 'text_too_long'],
    ['a picture elsewhere', '[{"kind":"picture","id":"https://evil.example/x.png","alt":""}]', 'markup_refused'],
    ['a bad link in a table', '[{"kind":"table","rows":[[[{"text":"x","link":"javascript:1"}]]]}]', 'link_refused'],
  ];
  it.each(refused)('is refused: %s', (_what, json, refusal) => {
    expect(readRichText(json)).toEqual({ ok: false, refusal });
  });

  it('keeps markup as text, and drops control, bidi and half characters and prototypes', () => {
    const read = readRichText(
      `[{"kind":"paragraph","inlines":[{"text":"<img src=x onerror=alert(1)>\\u202e\\u0000\\ud800!"},{"text":"\\u200b"}]}]`,
    );
    expect(read).toEqual({
      ok: true,
      tree: [{ kind: 'paragraph', inlines: [{ text: '<img src=x onerror=alert(1)>!' }] }],
    });
    expect(readRichText('[{"kind":"paragraph","inlines":[{"text":"x","__proto__":{"a":1}}]}]').ok).toBe(false);
  });
});

describe('marks', () => {
  const tree: RichText = [
    { kind: 'heading', inlines: [{ text: 'ที่ 1' }] },
    {
      kind: 'paragraph',
      inlines: [{ text: 'a ' }, { text: 'b*[c]|d', bold: true }, { text: ' ' }, { text: 'e', italic: true }],
    },
    { kind: 'list', ordered: true, items: [[{ text: 'x' }], [{ text: 'y', link: '/pages/verify/index' }]] },
    { kind: 'list', ordered: false, items: [[{ text: 'z' }]] },
    {
      kind: 'table',
      rows: [
        [[{ text: 'h' }], [{ text: 'i' }]],
        [[{ text: '1' }], [{ text: '2|3' }]],
      ],
    },
    { kind: 'picture', id: '@banner-verify', alt: 'a [receipt]' },
  ];
  it('give the same tree after writing and parsing', () => {
    expect(parseMarks(writeMarks(tree))).toEqual(tree);
    expect(readRichText(JSON.stringify(tree))).toEqual({ ok: true, tree });
  });

  it('count as text if they are unclosed or unknown', () => {
    expect(plainText(parseMarks('<b>x</b> [a](b c) 2 < 3'))).toBe('<b>x</b> [a](b c) 2 < 3');
    expect(plainText(parseMarks('one\ntwo\n\nthree'))).toBe('one two\n\nthree');
  });

  it('take bounded time to parse, whatever their length', () => {
    const started = performance.now();
    for (const hostile of ['*', '[', '[a](', '\\', '| ', '![', '# ', '1. ']) parseMarks(hostile.repeat(5_000));
    // Far above what a busy machine needs, and far below what exponential parsing would take.
    expect(performance.now() - started).toBeLessThan(60_000);
  });
});
