"""A verifier of receipts, ticks, blind boxes, incomes and statements, written from verification.md alone. Python 3, standard library.
    verify.py receipt.json keys.json [--pages page.json ...]   |   verify.py draw-or-box.json keys.json
    |   verify.py income.json keys.json   |   verify.py statement.json keys.json   |   verify.py contradiction.json
    |   verify.py --kept kept.json [--keys keys.json] [receipt-or-draw.json]
    |   --vectors FOLDER   |   --verdicts FILE"""
import hashlib
import hmac
import json
import math
import os
import re
import sys
import checkpoint
import ed25519

HEX64, HEX128 = re.compile('[0-9a-f]{64}'), re.compile('[0-9a-f]{128}')
TYPE = re.compile('[a-z]+/[0-9]+')
NONCE = re.compile('(?:[A-Za-z0-9_-]{22,64})?')
NIL = '0' * 64
UUID = re.compile('[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}')
TOLERANCE = 10_000
LAST_TIME = 8_640_000_000_000_000
SALT, CUSTOMER = re.compile('[0-9a-f]{1,128}'), re.compile('[1-9][0-9]{0,18}')
USES = ('index', 'receipt', 'ledger')
COINS = ('BTC', 'ETH', 'BNB', 'SOL', 'XRP', 'DOGE', 'ADA', 'TRX')
STEPS = {'families/1': dict(zip(COINS, (10000, 10000, 10000, 10000, 100, 10, 100, 10))),
         'families/2': dict(zip(COINS, (10000, 10000, 1000, 100, 10, 1, 1, 1)))}
REASONS = ('silent', 'old', 'ahead', 'far', 'backwards', 'stuck')
ENVS = ('live', 'sim', 'replay')

class Fault(Exception):
    pass

def need(condition, word):
    if not condition:
        raise Fault(word)

def full(pattern, value):
    return isinstance(value, str) and pattern.fullmatch(value) is not None

def exact(value, members, word):
    """Section 1: an object with exactly these members."""
    need(isinstance(value, dict) and set(value) == set(members), word)

def number(value, digits, word, least=0):
    """Section 1, numbers: '0' or digits without a leading zero."""
    need(isinstance(value, str) and len(value) <= digits and re.fullmatch('0|[1-9][0-9]*', value), word)
    need(int(value) >= least, word)
    return int(value)


# Section 1: texts

def pairs(items):
    out = dict(items)
    need(len(out) == len(items), 'member twice')
    return out

def refuse_number(_):
    raise Fault('number')

def utf16(text):
    return text.encode('utf-16-be', 'surrogatepass')

ESCAPES = {'"': '\\"', '\\': '\\\\', '\b': '\\b', '\f': '\\f', '\n': '\\n', '\r': '\\r', '\t': '\\t'}

def quote(text):
    return '"' + ''.join(ESCAPES.get(c) or ('\\u%04x' % ord(c) if c < ' ' else c) for c in text) + '"'

def write(value):
    if isinstance(value, str):
        return quote(value)
    if isinstance(value, list):
        return '[' + ','.join(map(write, value)) + ']'
    if isinstance(value, dict):
        return '{' + ','.join(quote(k) + ':' + write(value[k]) for k in sorted(value, key=utf16)) + '}'
    return {True: 'true', False: 'false', None: 'null'}[value]

def canonical(body):
    """Parse a text, write it again, compare."""
    need(isinstance(body, str), 'text form')
    try:
        body.encode('utf-8')
        value = json.loads(body, object_pairs_hook=pairs, parse_int=refuse_number, parse_float=refuse_number,
                           parse_constant=refuse_number)
        again = write(value)
        again.encode('utf-8')
    except (ValueError, RecursionError):
        raise Fault('text form') from None
    need(again == body, 'text form')
    return value

def signed_bytes(body):
    text = canonical(body)
    need(isinstance(text, dict) and full(TYPE, text.get('v')), 'text type')
    return text, (text['v'] + '\n' + body).encode('utf-8')

def sha(raw):
    return hashlib.sha256(raw).hexdigest()

def key_id(public_key):
    return sha(bytes.fromhex(public_key))[:16]

def check_signature(public_key, raw, signature):
    need(full(HEX64, public_key) and full(HEX128, signature), 'signature form')
    need(ed25519.verify(bytes.fromhex(public_key), raw, bytes.fromhex(signature)), 'signature')

def read_signed(item):
    """A signed text on the wire, form and hash; its signature is checked apart, when its date is known."""
    exact(item, ('body', 'hash', 'signature', 'key'), 'text members')
    need(all(isinstance(v, str) for v in item.values()), 'text members')
    text, raw = signed_bytes(item['body'])
    need(item['hash'] == sha(raw), 'hash')
    return text, raw

def check_signed(item, raw, keys, use, ms):
    """Sections 1 and 3: signed by a trusted key of this use, in its time."""
    need(item['signature'] != '' or item['key'] != '', 'signature missing')
    key = next((k for k in keys if k['use'] == use and k['id'] == item['key']), None)
    need(key is not None, 'unknown key')
    need(full(HEX64, key['public_key']) and key_id(key['public_key']) == key['id'], 'key id')
    check_signature(key['public_key'], raw, item['signature'])
    need(key['from'] is None or ms >= key['from'] - TOLERANCE, 'key time')
    need(key['until'] is None or ms < key['until'] + TOLERANCE, 'key time')


# Section 2: trees

def root_of(raw, index, size, path):
    """RFC 9162, 2.1.3.2."""
    need(index < size, 'tree index')
    fn, sn = index, size - 1
    r = hashlib.sha256(b'\0' + raw).digest()
    for p in path:
        need(sn != 0, 'tree path')
        p = bytes.fromhex(p)
        if fn & 1 or fn == sn:
            r = hashlib.sha256(b'\1' + p + r).digest()
            while not fn & 1 and fn != 0:
                fn, sn = fn >> 1, sn >> 1
        else:
            r = hashlib.sha256(b'\1' + r + p).digest()
        fn, sn = fn >> 1, sn >> 1
    need(sn == 0, 'tree path')
    return r.hex()

def read_head(item):
    head, raw = read_signed(item)
    exact(head, ('root', 'size', 'v'), 'tree head')
    need(head['v'] == 'tree/1' and full(HEX64, head['root']), 'tree head')
    size = number(head['size'], 9, 'tree size', 1)
    need(size <= 64, 'tree size')
    return head['root'], size, raw

def check_in_tree(item, keys):
    """A text in a tree that is terms (sections 2 and 5)."""
    exact(item, ('body', 'hash', 'index', 'path', 'tree'), 'terms members')
    need(isinstance(item['path'], list) and all(full(HEX64, p) for p in item['path']), 'tree path')
    index = number(item['index'], 9, 'tree index')
    text, raw = signed_bytes(item['body'])
    need(item['hash'] == sha(raw), 'hash')
    terms = read_terms(text)
    root, size, head = read_head(item['tree'])
    check_signed(item['tree'], head, keys, 'receipt', terms['accepted'])
    need(root_of(raw, index, size, item['path']) == root, 'tree root')
    return terms


# Section 3: keys

def read_record(entry):
    """The record's text when it names the key that carries it and has that key's signature; None otherwise."""
    try:
        exact(entry['record'], ('body', 'signature', 'previous_signature'), 'record')
        text, raw = signed_bytes(entry['record']['body'])
        exact(text, ('from', 'id', 'prev', 'public_key', 'use', 'v'), 'record')
        need(text['v'] == 'key/1' and all(text[m] == entry[m] for m in ('id', 'public_key', 'use')), 'record')
        need(isinstance(text['prev'], str) and text['prev'] != text['id'], 'record')
        check_signature(entry['public_key'], raw, entry['record']['signature'])
        return {'from': number(text['from'], 15, 'record', 1), 'prev': text['prev'], 'raw': raw}
    except Fault:
        return None

def trust(published, pinned=()):
    """Section 3, which keys to trust. Answers trusted keys, refused entries with a word, pinned but unpublished."""
    refused, entries = [], []
    for e in published:
        form = (isinstance(e, dict) and e.get('use') in USES and isinstance(e.get('id'), str)
                and full(HEX64, e.get('public_key')))
        twice = form and any((o['use'], o['id']) == (e['use'], e['id']) for o in entries)
        if not form or twice or key_id(e['public_key']) != e['id']:                     # rule 1
            refused.append((e, 'key id'))
        else:
            entries.append({'record': None, **e})
    trusted = []
    for use in USES:
        mine = [e for e in entries if e['use'] == use]
        pins = [p for p in pinned if p['use'] == use and full(HEX64, p['public_key'])]
        known = {e['id']: e['public_key'] for e in mine + pins}
        pin_ids = {p['id'] for p in pins}
        records = {}
        for e in mine:
            r = read_record(e) if e['record'] is not None else None
            if r is None:
                continue
            try:
                need(r['prev'] in known, 'record')
                check_signature(known[r['prev']], r['raw'], e['record']['previous_signature'])
                records[e['id']] = r
            except Fault:
                pass
        names = [r['prev'] for r in records.values()]
        barred = {i for i, r in records.items() if names.count(r['prev']) > 1} - pin_ids    # rule 5
        if pins:                                                                          # rule 3
            good = set(pin_ids)
        else:                                                                             # rule 2
            good = {e['id'] for e in mine if e['record'] is None} or {e['id'] for e in mine[:1]}
        good -= barred
        listed = {e['id'] for e in mine}
        while True:                                                                       # rule 4
            more = {i for i, r in records.items() if r['prev'] in good}
            more |= {records[i]['prev'] for i in good if i in records and records[i]['prev'] in listed}
            more = more - barred - good
            if not more:
                break
            good |= more
        for i in sorted(good):
            ends = [r['from'] for j, r in records.items() if r['prev'] == i and j in good]
            first = records[i]['from'] if i in records else None
            trusted.append({'use': use, 'id': i, 'public_key': known[i], 'from': first,
                            'until': min(ends) if ends else None})
        refused += [(e, 'key record') for e in mine if e['id'] not in good]                # rule 6
    seen = {(e['use'], e['public_key']) for e in entries}
    return trusted, refused, [p for p in pinned if (p['use'], p['public_key']) not in seen]

def ready_keys(items):
    """Keys that are trusted already (the vectors'): their times, where they have some, in from_ms and until_ms."""
    return [{'use': k['use'], 'id': k['id'], 'public_key': k['public_key'], 'from': k.get('from_ms'),
             'until': k.get('until_ms')} for k in items]

def keys_of(value):
    """Keys of an answer, with or without its envelope, or a bare list."""
    for name in ('data', 'keys'):
        if isinstance(value, dict) and name in value:
            value = value[name]
    need(isinstance(value, list), 'keys form')
    need(all(isinstance(k, dict) for k in value), 'keys form')
    if any('from_ms' in k or 'until_ms' in k for k in value):
        need(all(isinstance(k.get(m), str) for k in value for m in ('use', 'id', 'public_key')), 'keys form')
        need(all(k.get(m) is None or type(k[m]) is int for k in value for m in ('from_ms', 'until_ms')), 'keys form')
        return ready_keys(value)
    return trust(value)[0]


# Section 4: ticks

def median(values):
    values = sorted(values)
    half = len(values) // 2
    return values[half] if len(values) % 2 else (values[half - 1] + values[half]) // 2

def votes(quotes):
    """One vote for each source in USDT, one for all of any other currency; quotes are (currency, price)."""
    out = [p for c, p in quotes if c == 'USDT']
    for currency in {c for c, _ in quotes} - {'USDT'}:
        out.append(median(p for c, p in quotes if c == currency))
    return out

def price_of(quotes, rule, coin):
    step = STEPS[rule][coin]
    return median(votes(quotes)) // step * step

def beyond(p, m, k):
    return abs(p - m) * 100 > m * k

def at_or_beyond(p, m, k):
    return abs(p - m) * 100 >= m * k

TICK = ('v', 'sym', 'seq', 't', 'px', 'scale', 'rule', 'src', 'excl', 'env', 'flag', 'prev')

def coin_of(sym, word):
    need(isinstance(sym, str) and sym.endswith('USDT') and sym[:-4] in COINS, word)
    return sym[:-4]

def read_tick(text, digest):
    """The members of a tick, section 4's table, in a form to calculate with."""
    exact(text, TICK + tuple(m for m in ('late', 'promises') if m in text), 'tick members')
    need(text['v'] == 'tick/1' and text['scale'] == '6', 'tick type')
    if 'late' in text:
        need(1 <= number(text['late'], 5, 'tick late') <= 60_000, 'tick late')
    need('promises' not in text or full(HEX64, text['promises']) and text['promises'] != NIL, 'tick promises')
    need(isinstance(text['rule'], str) and text['rule'] in STEPS, 'tick rule')
    need(text['env'] in ENVS and text['flag'] in ('jump', ''), 'tick members')
    need(full(HEX64, text['prev']), 'tick prev')
    tick = {'hash': digest, 'prev': text['prev'], 'sym': text['sym'], 'coin': coin_of(text['sym'], 'tick coin'),
            'seq': number(text['seq'], 18, 'tick seq', 1), 't': number(text['t'], 16, 'tick time', 1),
            'px': number(text['px'], 18, 'tick price', 1), 'rule': text['rule'], 'env': text['env'],
            'flag': text['flag'], 'promises': text.get('promises'), 'late': int(text.get('late', '0')),
            'src': [], 'excl': []}
    for member, width in (('src', 4), ('excl', 5)):
        need(isinstance(text[member], list), 'tick sources')
        for row in text[member]:
            need(isinstance(row, list) and len(row) == width and all(isinstance(c, str) for c in row), 'tick sources')
            name, reason, currency, price, time = row if width == 5 else (row[0], '', *row[1:])
            if width == 5 and price == '' and time == '':
                price = time = None
            else:
                price, time = number(price, 18, 'source price'), number(time, 16, 'source time')
                need(time <= LAST_TIME, 'source time')
            tick[member].append((name, reason, currency, price, time))
        names = [utf16(s[0]) for s in tick[member]]
        need(names == sorted(names), 'source order')
    return tick

def middle_of(tick):
    return median(votes([(s[2], s[3]) for s in tick['src']] + [(s[2], s[3]) for s in tick['excl'] if s[1] == 'far']))

def check_tick(tick):
    """Section 4: a tick by itself."""
    t, rows = tick['t'], tick['src'] + tick['excl']
    need(t % 1000 == 0 and t <= LAST_TIME, 'tick time')                                     # 1
    need((tick['seq'] == 1) == (tick['prev'] == NIL), 'tick prev')
    need(tick['seq'] > 1 or tick['flag'] == '', 'jump')
    need(len({s[0] for s in rows}) == len(rows), 'source twice')
    need(all(s[3] != 0 for s in tick['src'] + [s for s in tick['excl'] if s[1] == 'far']), 'source price')
    quotes = [(s[2], s[3]) for s in tick['src']]
    need(len(quotes) >= 3 and len(votes(quotes)) >= 3, 'few sources')                       # 2
    need(all((s[3] is None) == (s[1] == 'silent') and s[1] in REASONS for s in tick['excl']), 'reason')
    m = middle_of(tick)
    for _, _, _, price, time in tick['src']:                                                # 3
        need(t - time <= 5000 and time - t <= 1000 and not beyond(price, m, 2), 'source counted')
    for _, reason, _, price, time in tick['excl']:                                          # 4
        if reason == 'old':
            need(t - time > 5000, 'reason')
        if reason == 'ahead':
            need(time - t > 1000, 'reason')
        if reason == 'far':
            need(t - time <= 5000 and time - t <= 1000 and at_or_beyond(price, m, 1), 'reason')
    need(tick['px'] == price_of(quotes, tick['rule'], tick['coin']), 'price')               # 5

def check_link(old, new):
    """Section 4: the link from a tick to the one after it."""
    need(old['sym'] == new['sym'], 'coin')
    need(new['seq'] == old['seq'] + 1, 'sequence')
    need(new['t'] > old['t'], 'tick time')
    need(new['prev'] == old['hash'], 'chain')
    need((new['flag'] == 'jump') == beyond(new['px'], old['px'], 20), 'jump')
    if new['t'] != old['t'] + 1000:
        return
    m = middle_of(new)
    was_far = {s[0] for s in old['excl'] if s[1] == 'far'}
    counted = {s[0] for s in old['src']}
    before = {s[0]: s[3] for s in old['src'] + old['excl'] if s[3] is not None}
    for name, _, _, price, _ in new['src']:
        need(name not in was_far or not at_or_beyond(price, m, 1), 'back too early')
    for name, reason, _, price, _ in new['excl']:
        need(reason != 'far' or name not in counted or beyond(price, m, 2), 'out too early')
        need(reason != 'stuck' or name not in before or before[name] == price, 'not stuck')

def open_tick(item, keys, sealed=False):
    """A signed tick, sound by itself. In a page (sealed) it may have given up its signature."""
    text, raw = read_signed(item)
    tick = read_tick(text, item['hash'])
    if not (sealed and item['signature'] == '' and item['key'] == '') and keys is not None:
        check_signed(item, raw, keys, 'index', tick['t'])
    check_tick(tick)
    return tick

def check_page(items, keys, last=None):
    """Section 4, pages: items in the order of the chain, and the tick before the first one where it is known."""
    need(isinstance(items, list), 'page form')
    ticks = []
    for item in items:
        tick = open_tick(item, keys, sealed=True)
        if last is not None:
            check_link(last, tick)
        ticks.append(tick)
        last = tick
    need(not items or items[-1]['signature'] != '', 'signature missing')
    return ticks

def check_public(receipt_ticks, ticks):
    """Section 12, the public chain: it reaches over the receipt's ticks and holds them."""
    by_seq = {t['seq']: t['hash'] for t in ticks}
    need(ticks and all(by_seq.get(t['seq']) == t['hash'] for t in receipt_ticks), 'chain')


# Section 5: terms

TERMS = {'opt/1': ('v order acct sym dir stake asset rate_bps fee_bps accepted dur entry_rule exit_rule eq max_gap '
                   'terms env').split()}
TERMS['opt/2'] = TERMS['opt/1'] + ['arrived', 'nonce']
TERMS['opt/3'] = TERMS['opt/2'] + ['hold']
TERMS['opt/4'] = TERMS['opt/3'] + ['latest']
SALE = ['sell_vol_bps', 'sell_band_bps', 'sell_spread_bps', 'sell_closed']
TERMS['opt/5'] = TERMS['opt/4'] + SALE
FIXED = {'asset': 'USDT', 'entry_rule': 'first t>accepted', 'exit_rule': 'last t<=accepted+dur', 'eq': 'refund',
         'max_gap': '3000'}
AMOUNTS = ('stake', 'rate_bps', 'fee_bps', 'arrived', 'accepted', 'dur')

def read_terms(text):
    need(text['v'] in TERMS, 'terms type')
    exact(text, TERMS[text['v']], 'terms members')
    need(all(isinstance(v, str) for v in text.values()), 'terms members')
    need(all(text[m] == v for m, v in FIXED.items()), 'terms rules')
    need(text['dir'] in ('up', 'down') and text['env'] in ENVS, 'terms members')
    need(full(HEX64, text['acct']) and full(HEX64, text['terms']), 'terms members')
    need(full(NONCE, text.get('nonce', '')), 'nonce')
    coin_of(text['sym'], 'terms coin')
    need(text['order'] != '', 'terms members')
    if 'hold' in text:
        number(text['hold'], 18, 'terms number', 1)
    latest = text.get('latest', '')
    need(latest == '' or number(latest, 15, 'terms number') >= 0, 'terms number')
    terms = {**text, **{m: number(text[m], 15, 'terms number') for m in AMOUNTS if m in text}, 'sale': None}
    if any(text.get(m, '') != '' for m in SALE):
        terms['sale'] = vol, band, spread, closed = [number(text[m], 15, 'terms sale') for m in SALE]
        need(vol > 0 and band < 10000 and spread <= 10000 and closed > 0, 'terms sale')
    need(terms['stake'] > 0 and terms['dur'] > 0 and terms['fee_bps'] <= 10000, 'terms number')
    return terms


# Sections 7 to 11: the receipt

def check_form(receipt):
    exact(receipt, ('v', 'terms', 'account', 'ticks', 'result', 'transfers') +
          (('promise',) if 'promise' in receipt else ()), 'receipt members')
    need(receipt['v'] == 'receipt/1', 'receipt type')
    exact(receipt['account'], ('salt', 'customer'), 'account members')
    exact(receipt['ticks'], ('before_start', 'start', 'end', 'after_end'), 'ticks members')
    exact(receipt['result'], ('status', 'reason', 'profit', 'fee', 'credited'), 'result members')
    need(isinstance(receipt['transfers'], list), 'transfers members')
    for t in receipt['transfers']:
        exact(t, ('seq', 'kind', 'from', 'to', 'asset', 'amount', 'resolves'), 'transfers members')
        need(all(isinstance(v, str) or m == 'resolves' and v is None for m, v in t.items()), 'transfers members')
    need(all(isinstance(v, str) for v in receipt['account'].values()), 'account members')
    need(all(isinstance(v, str) or m == 'reason' and v is None for m, v in receipt['result'].items()), 'result members')
    need(receipt['result']['status'] in ('holding', 'won', 'lost', 'tie', 'void', 'sold'), 'status')
    need(receipt['result']['reason'] in (None, 'no_start_tick', 'no_end_tick'), 'reason')

LINK = ('v', 'seq', 't', 'prev', 'root', 'size')

def read_link(body):
    """One link of the chain of promises."""
    text, raw = signed_bytes(body)
    exact(text, LINK, 'promise members')
    need(text['v'] == 'promises/1', 'promise type')
    need(full(HEX64, text['prev']) and full(HEX64, text['root']), 'promise members')
    link = {m: number(text[m], 15, 'promise number', 1) for m in ('seq', 't', 'size')}
    need(link['size'] <= 4096 and (link['seq'] == 1) == (text['prev'] == NIL), 'promise number')
    return {**link, 'prev': text['prev'], 'root': text['root'], 'hash': sha(raw)}

def check_promise(receipt, terms, there, keys):
    """A tick soon after the acceptance names the terms."""
    if 'latest' not in terms:
        need('promise' not in receipt, 'promise')
        return
    need('promise' in receipt, 'promise')
    promise, is_void = receipt['promise'], receipt['result']['status'] == 'void'
    if promise is None:
        need(is_void, 'promise')
        return
    exact(promise, ('index', 'path', 'links', 'tick'), 'promise members')
    need(isinstance(promise['path'], list) and isinstance(promise['links'], list) and promise['links'], 'promise members')
    need(all(full(HEX64, p) for p in promise['path']), 'promise path')
    tick = open_tick(promise['tick'], keys)
    need(tick['sym'] == terms['sym'] and tick['env'] == terms['env'], 'coin')
    links = [read_link(body) for body in promise['links']]
    index = number(promise['index'], 9, 'promise index')
    head = bytes.fromhex(receipt['terms']['tree']['hash'])
    need(root_of(head, index, links[0]['size'], promise['path']) == links[0]['root'], 'promise path')
    for a, b in zip(links, links[1:]):
        need(b['seq'] == a['seq'] + 1 and b['t'] > a['t'] and b['prev'] == a['hash'], 'promise link')
    need(tick['promises'] == links[-1]['hash'], 'promise name')
    need(all(t['hash'] == tick['hash'] for t in there if t['seq'] == tick['seq']), 'promise tick')
    need(is_void or tick['t'] - terms['accepted'] <= 4000, 'promise late')
    there.append(tick)

def check_start(terms, ticks, reason, newest):
    """Section 8, start. Answers whether the receipt is pending."""
    before, start = ticks['before_start'], ticks['start']
    need(before is None or before['t'] <= terms['accepted'], 'start')
    if start is None:
        need(reason == 'no_start_tick', 'start')
        need(newest is None or newest <= terms['accepted'], 'start')
        return True
    need(start['t'] > terms['accepted'], 'start')
    if before is not None:
        check_link(before, start)
    else:
        need(start['seq'] == 1, 'start')
    return False

def check_between(start, end):
    if end['seq'] == start['seq']:
        need(end['hash'] == start['hash'], 'end')
    elif end['seq'] == start['seq'] + 1:
        check_link(start, end)
    else:
        need((end['seq'] - start['seq']) * 1000 <= end['t'] - start['t'], 'sequence')

def check_end(terms, ticks, status, reason, newest):
    """Section 8, end. Answers whether the receipt is pending."""
    start, end, after = ticks['start'], ticks['end'], ticks['after_end']
    expiry = terms['accepted'] + terms['dur']
    if reason == 'no_start_tick':
        need(end is None and after is None, 'end')
        return False
    need(start is not None and end is not None, 'end')
    need(end['t'] <= expiry and end['seq'] >= start['seq'], 'end')
    check_between(start, end)
    if after is not None:
        need(after['t'] > expiry, 'end')
        check_link(end, after)
        return False
    if end['t'] + 1000 > expiry:
        return False
    need(newest == end['t'] or status == 'void', 'end')
    need(newest is None or newest <= end['t'], 'end')
    return True

# Section 9a: the price of a sale

ONE = 10 ** 18
ROOT_TWO_PI = 2506628274631000502
YEAR_MS = 365 * 86400 * 1000

def series(first, z, divisor):
    total = term = first
    while term > 0:
        term = term * z * z // (ONE * ONE * divisor)
        total, divisor = total + term, divisor + 2
    return total

def half(z):
    """Normal distribution: the probability between the middle and z."""
    if z >= 8 * ONE:
        return ONE // 2
    return series(z, z, 3) * ONE * ONE // (series(ONE, z, 2) * ROOT_TWO_PI)

def least(ahead, price, left, vol, band):
    """The least probability, within the band, to be beyond a boundary; `ahead` is twice the distance."""
    wide = vol * (10000 + band if ahead >= 0 else 10000 - band)
    z = math.isqrt(ahead ** 2 * ONE ** 2 * YEAR_MS * 10 ** 16 // (4 * (price * wide) ** 2 * left))
    found = ONE // 2 + half(z) if ahead >= 0 else ONE // 2 - half(z + 1)
    return max(0, found - 1000)

def bid(sale, up, stake, gain, start, price, step, left):
    """What a sale pays; None if nothing is left."""
    vol, band, spread = sale[:3]
    ahead = 2 * (price - start if up else start - price)
    won, kept = (least(ahead + shift, price, left, vol, band) for shift in (-step, step))
    units = (won * gain + kept * stake) // ONE - max(1, -(-stake * spread // 10000))
    return units if units > 0 else None

def check_sale(terms, ticks):
    """Section 8, of a sold option: its tick is one of the option's, before the closed time."""
    start, end = ticks['start'], ticks['end']
    need(terms['sale'] is not None, 'sale terms')
    need(end is not None and ticks['after_end'] is None, 'sale tick')
    need(end['t'] <= terms['accepted'] + terms['dur'] - terms['sale'][3], 'sale late')
    need(start is not None and end['seq'] >= start['seq'], 'sale tick')
    check_between(start, end)

def outcome(terms, start, end, sold=False):
    """Section 9."""
    stake = terms['stake']
    profit = stake * terms['rate_bps'] // 10000
    fee = -(-profit * terms['fee_bps'] // 10000)
    expiry = terms['accepted'] + terms['dur']
    if start is None or start['t'] - terms['accepted'] > 3000:
        return ('void', 'no_start_tick', 0, 0, stake), profit, fee
    if sold:
        step = STEPS[end['rule']][end['coin']]
        paid = bid(terms['sale'], terms['dir'] == 'up', stake, profit - fee, start['px'], end['px'], step,
                   expiry - end['t'])
        need(paid is not None, 'sale price')
        return ('sold', None, paid - stake, 0, paid), profit, fee
    if end is None or expiry - end['t'] > 3000:
        return ('void', 'no_end_tick', 0, 0, stake), profit, fee
    if start['px'] == end['px']:
        return ('tie', None, 0, 0, stake), profit, fee
    if (end['px'] > start['px']) == (terms['dir'] == 'up'):
        return ('won', None, profit, fee, stake + profit - fee), profit, fee
    return ('lost', None, -stake, 0, 0), profit, fee

def returned(receipt):
    """What went back of an order that its customer had void; None without. The receipt has been checked."""
    last = receipt['transfers'][-1]
    return last['amount'] if receipt['result']['status'] == 'lost' and last['kind'] == 'single' else None

def check_transfers(transfers, terms, status, profit, fee, late, credited):
    """Section 10. `late` is how late the later one of the two deciding ticks was."""
    spot, pool, income = 'customer:spot', 'house:options_pool', 'house:fee_income'
    stake = terms['stake']
    taken = {'lost': stake, 'sold': stake - credited}.get(status, 0)
    paid = {'won': profit, 'sold': credited - stake}.get(status, 0)
    rows = [('hold', spot, pool, stake, None), ('hold', pool, spot, profit, None),
            ('post', spot, pool, taken, 0) if taken > 0 else ('void', spot, pool, stake, 0),
            ('post', pool, spot, paid, 1) if paid > 0 else ('void', pool, spot, profit, 1)]
    if status == 'won' and fee > 0:
        rows.append(('single', spot, income, fee, None))
    settled = len(rows)
    if status == 'lost' and late > 5000 and len(transfers) > settled:
        rows.append(('single', pool, spot, terms['stake'], None))
    need(len(transfers) == len(rows), 'transfers')
    for t, (kind, source, target, amount, resolves) in zip(transfers, rows):
        need((t['kind'], t['from'], t['to'], t['amount'], t['asset']) == (kind, source, target, str(amount), 'USDT'),
             'transfers')
        need(t['resolves'] == (None if resolves is None else transfers[resolves]['seq']), 'transfers')
    seqs = [number(t['seq'], 18, 'transfers', 1) for t in transfers]
    need(terms.get('hold', transfers[0]['seq']) == transfers[0]['seq'], 'transfers of another order')
    need(seqs[1] == seqs[0] + 1 and seqs[2] > seqs[1], 'transfers')
    need(all(b == a + 1 for a, b in zip(seqs[2:settled], seqs[3:settled])), 'transfers')
    need(all(seq > seqs[settled - 1] for seq in seqs[settled:]), 'transfers')

def check_receipt(receipt, keys, rules=None, newest=None):
    """Section 11. Answers its ticks and whether it is pending; raises a Fault otherwise."""
    check_form(receipt)
    terms = check_in_tree(receipt['terms'], keys)
    account = receipt['account']
    need(full(SALT, account['salt']) and full(CUSTOMER, account['customer']), 'account')
    need(sha((account['salt'] + ':' + account['customer']).encode('utf-8')) == terms['acct'], 'account')
    need(rules is None or rules == terms['terms'], 'rules')
    check_latest(terms)
    ticks = {name: item if item is None else open_tick(item, keys) for name, item in receipt['ticks'].items()}
    there = [t for t in ticks.values() if t is not None]
    need(all(t['sym'] == terms['sym'] and t['env'] == terms['env'] for t in there), 'coin')
    result = receipt['result']
    check_promise(receipt, terms, there, keys)
    need(result['status'] != 'holding', 'not settled')
    pending = check_start(terms, ticks, result['reason'], newest)
    sold = result['status'] == 'sold'
    if sold:
        check_sale(terms, ticks)
    else:
        pending |= check_end(terms, ticks, result['status'], result['reason'], newest)
    wanted, profit, fee = outcome(terms, ticks['start'], ticks['end'], sold)
    shown = tuple(result[m] for m in ('status', 'reason', 'profit', 'fee', 'credited'))
    need(shown == wanted[:2] + tuple(map(str, wanted[2:])), 'result')
    late = max([0] + [t['late'] for t in (ticks['start'], ticks['end']) if t is not None])
    check_transfers(receipt['transfers'], terms, wanted[0], profit, fee, late, wanted[4])
    return there, pending, terms


# Section 12: what somebody who was there compares

def fork(seen, items, head, asked=None):
    """Seen numbers and hashes against what the public chain answers now, to a question of which numbers."""
    if not items and head is None:
        return 'rolled back'
    now = {}
    for item in items:
        text, raw = signed_bytes(item['body'])
        now[text.get('seq')] = sha(raw)
    for s in seen:
        if now.get(s['sequence'], s['hash']) != s['hash']:
            return 'rewritten'
        if head is not None and head['sequence'] == s['sequence'] and head['hash'] != s['hash']:
            return 'rewritten'
    if head is not None and any(int(head['sequence']) < int(s['sequence']) for s in seen):
        return 'rolled back'
    if asked is not None:
        first, after = int(asked['from']), int(asked['from']) + int(asked['limit'])
        if any(first <= int(s['sequence']) < after and s['sequence'] not in now for s in seen):
            return 'withheld'
    return None


WORDS = {'order': 'order', 'acct': 'account', 'sym': 'coin', 'dir': 'direction', 'stake': 'stake', 'rate_bps': 'payout',
         'fee_bps': 'fee', 'accepted': 'acceptance', 'dur': 'duration', 'terms': 'rules', 'env': 'environment',
         'arrived': 'arrival', 'nonce': 'nonce', 'hold': 'hold', 'latest': 'latest', 'sale': 'sale'}

def terms_differ(kept, shown):
    """The words of the members that differ; 'text' when one is no terms, or another text with the same members."""
    if kept == shown:
        return []
    try:
        kept, shown = (read_terms(signed_bytes(body)[0]) for body in (kept, shown))
    except Fault:
        return ['text']
    return [word for m, word in WORDS.items() if kept.get(m, '') != shown.get(m, '')] or ['text']

def check_latest(terms):
    need(terms.get('latest', '') == '' or terms['accepted'] <= int(terms['latest']), 'accepted later than allowed')

def check_moments(terms, sent, answered, newest_tick):
    """Section 6: the moments of a purchase, all in ms."""
    check_latest(terms)
    if 'arrived' in terms:
        need(sent - 500 <= terms['arrived'] <= answered + 500, 'arrived')
        need(terms['accepted'] >= terms['arrived'] + 1000, 'accepted')
    need(sent + 1000 - 500 <= terms['accepted'] <= answered + 1000 + 500, 'accepted')
    need(newest_tick is None or terms['accepted'] >= newest_tick + 1000, 'accepted')


# Section 15: blind boxes

ASSET_OF = {'usdt': 'USDT', 'points': 'POINTS'}
BOX_MEMBERS = ('asset', 'beacon', 'budget', 'closes', 'draws_max', 'env', 'id', 'opens', 'price', 'root', 'table', 'v',
               'weight_sum')
DRAW_MEMBERS = ('box', 'box_hash', 'c', 'i', 'order', 'reserved', 'round', 'v')
RESOLVED_WITHIN = 60_000

def read_box(text):
    exact(text, BOX_MEMBERS, 'box members')
    need(text['v'] == 'box/1' and text['asset'] == 'POINTS' and text['env'] in ('live', 'demo'), 'box members')
    need(full(UUID, text['id']) and full(HEX64, text['root']) and isinstance(text['beacon'], str), 'box members')
    exact(text['budget'], ('POINTS', 'USDT'), 'box members')
    need(isinstance(text['table'], list) and text['table'], 'box members')
    table = []
    for row in text['table']:
        exact(row, ('amount', 'asset', 'prize', 'weight'), 'box members')
        need(ASSET_OF.get(row['prize']) == row['asset'], 'box members')
        table.append((row['asset'], number(row['amount'], 15, 'box members', 1), number(row['weight'], 15, 'box members', 1)))
    box = {name: number(text[name], 15, 'box members') for name in ('closes', 'draws_max', 'opens', 'price', 'weight_sum')}
    need(box['weight_sum'] == sum(weight for _, _, weight in table) <= 2**31, 'box members')
    need(1 <= box['draws_max'] <= 20_000 and box['closes'] > box['opens'], 'box members')
    budget = {asset: number(text['budget'][asset], 15, 'box members') for asset in ('POINTS', 'USDT')}
    return dict(box, id=text['id'], root=text['root'], beacon=text['beacon'], table=table, budget=budget)

def read_reservation(text):
    exact(text, DRAW_MEMBERS, 'reservation members')
    need(text['v'] == 'draw/1' and full(UUID, text['order']), 'reservation members')
    need(all(isinstance(text[name], str) for name in ('box', 'box_hash', 'c')), 'reservation members')
    draw = {name: number(text[name], 15, 'reservation members') for name in ('i', 'reserved', 'round')}
    need(draw['i'] >= 1, 'reservation members')
    return dict(draw, **{name: text[name] for name in ('box', 'box_hash', 'c', 'order')})

def open_box(item, keys):
    text, raw = read_signed(item)
    box = read_box(text)
    check_signed(item, raw, keys, 'receipt', box['opens'])
    return box

def open_reservation(item, box_item, box, keys):
    text, raw = read_signed(item)
    draw = read_reservation(text)
    need(draw['box'] == box['id'] and draw['box_hash'] == box_item['hash'], 'reservation of another box')
    check_signed(item, raw, keys, 'receipt', draw['reserved'])
    need(draw['i'] <= box['draws_max'], 'number outside the box')
    need(box['opens'] <= draw['reserved'] < box['closes'], 'outside the sale')
    need(draw['round'] == 0, 'round')
    return draw

def number_of(box, draw, seed, client_seed):
    """HMAC-SHA-256, whose words below the largest multiple of the weights are taken."""
    weights = box['weight_sum']
    fair = 2**32 // weights * weights
    text = write({'box': box['id'], 'client_seed': client_seed, 'drand': '0', 'i': str(draw['i']), 'rand': ''}).encode()
    while True:
        text = hmac.new(seed, text, 'sha256').digest()
        for at in range(0, 32, 4):
            word = int.from_bytes(text[at:at + 4], 'big')
            if word < fair:
                return word % weights

def check_result(shown, box, draw):
    """What was drawn, from the two seeds, and what was paid for it. The row of the table."""
    need(full(HEX64, shown['seed']), 'seed form')
    seed = bytes.fromhex(shown['seed'])
    need(sha(('bb/1%s%d' % (draw['box'], draw['i'])).encode() + seed) == draw['c'], 'seed')
    client_seed = sha(draw['order'].encode()) if shown['client_seed'] is None else shown['client_seed']
    need(full(HEX64, client_seed), 'client seed form')
    drawn = number_of(box, draw, seed, client_seed)
    need(shown['number'] == str(drawn), 'number')
    above, row = 0, 0
    for row, (asset, amount, weight) in enumerate(box['table']):
        above += weight
        if drawn < above:
            break
    need(shown['prize'] == str(row), 'prize')
    need(shown['paid'] == {'asset': asset, 'units': str(amount)}, 'prize not paid')
    need(number(shown['resolved'], 15, 'resolved') - draw['reserved'] <= RESOLVED_WITHIN, 'resolved late')
    return row

def without_beacon(box):
    """A beacon's signature is of a curve that the standard library lacks: such a box is not verified here."""
    need(box['beacon'] == 'none', 'beacon: not read by this verifier')

def check_draw(shown, keys, kept=None):
    """One draw, with what the device kept of it."""
    kept = kept or {}
    box = open_box(shown['box'], keys)
    without_beacon(box)
    need(kept.get('boxHash') in (None, shown['box']['hash']), 'box differs')
    draw = open_reservation(shown['reservation'], shown['box'], box, keys)
    need(kept.get('reservation') in (None, shown['reservation']['body']), 'reservation differs')
    need(full(HEX64, draw['c']) and all(full(HEX64, p) for p in shown['path']), 'tree path')
    need(root_of(bytes.fromhex(draw['c']), draw['i'] - 1, box['draws_max'], shown['path']) == box['root'], 'tree root')
    need('clientSeed' not in kept or kept['clientSeed'] == shown['client_seed'], 'client seed differs')
    check_result(shown, box, draw)

def tree_root(leaves):
    """Section 2: RFC 9162, 2.1.1."""
    if len(leaves) == 1:
        return hashlib.sha256(b'\0' + leaves[0]).digest()
    half = 1 << (len(leaves) - 1).bit_length() - 1
    return hashlib.sha256(b'\1' + tree_root(leaves[:half]) + tree_root(leaves[half:])).digest()

def log_tail(n, k, p):
    """ln P(X >= k) above the mean, ln P(X <= k) below it, of a binomial X."""
    if p >= 1 or k == n * p:
        return 0.0
    log = math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1) + k * math.log(p) + (n - k) * math.log1p(-p)
    total, ratio, at, step = 1.0, 1.0, k, 1 if k > n * p else -1
    while ratio > 1e-16 and 0 <= at + step <= n:
        ratio *= (n - at) / (at + 1) * p / (1 - p) if step > 0 else at / (n - at + 1) * (1 - p) / p
        total, at = total + ratio, at + step
    return min(0.0, log + math.log(total))

def box_chance(given, weights):
    """Section 15: the logarithm of how often results this far from the odds come up."""
    tails = [log_tail(sum(given), k, w / sum(weights)) for k, w in zip(given, weights)]
    return min(0.0, (min(tails) + math.log(2 * len(weights))) / math.log(10))

def check_box(file, keys):
    """The public file of a box: how many draws it has, and how often each row of the table was drawn."""
    box = open_box(file['box'], keys)
    without_beacon(box)
    need(len(file['commitments']) == box['draws_max'] and all(full(HEX64, c) for c in file['commitments']), 'commitments')
    need(tree_root([bytes.fromhex(c) for c in file['commitments']]).hex() == box['root'], 'tree root')
    given, paid, last = [0] * len(box['table']), {'POINTS': 0, 'USDT': 0}, 0
    for place, shown in enumerate(file['draws'], 1):
        draw = open_reservation(shown['reservation'], file['box'], box, keys)
        need(draw['i'] == place and draw['reserved'] >= last, 'order of the draws')
        last = draw['reserved']
        need(draw['c'] == file['commitments'][place - 1], 'commitment')
        if 'seed' not in shown:
            need(number(file['at'], 15, 'file form') <= draw['reserved'] + RESOLVED_WITHIN, 'draw left open')
            continue
        row = check_result(shown, box, draw)
        given[row] += 1
        paid[box['table'][row][0]] += box['table'][row][1]
    need(all(paid[asset] <= box['budget'][asset] for asset in paid), 'budget')
    need(box_chance(given, [weight for _, _, weight in box['table']]) >= -9, 'not plausible')
    return len(file['draws']), given


# Section 18: incomes

RATE_ONE = 10**8
INCOME = ('type', 'order', 'day', 'asset', 'base', 'version', 'effective_from', 'stages', 'daily_rate', 'nth', 'days',
          'carry_before', 'units', 'carry_after', 'total_after', 'state', 'transfer')
DAY = re.compile('[0-9]{4}-[0-9]{2}-[0-9]{2}')

def whole(value):
    """An integer of any length."""
    need(full(re.compile('0|[1-9][0-9]*'), value), 'income form')
    return int(value)

def staged(base, stages):
    need(isinstance(stages, list) and stages, 'income stages')
    for stage in stages:
        exact(stage, ('from', 'rate'), 'income stages')
    starts, rates = [whole(s['from']) for s in stages], [whole(s['rate']) for s in stages]
    need(starts[0] == 0 and all(a < b for a, b in zip(starts, starts[1:])), 'income stages')
    need(all(rate <= RATE_ONE for rate in rates), 'income stages')
    ends = starts[1:] + [max(base, starts[-1])]
    return sum(rate * max(0, min(base, end) - start) for start, end, rate in zip(starts, ends, rates))

def check_income(receipt):
    """One day's income, recomputed from the terms that its receipt names. The units that it pays."""
    exact(receipt, INCOME, 'income members')
    need(receipt['asset'] == 'USDT' and full(DAY, receipt['day']) and full(DAY, receipt['effective_from']), 'income form')
    need(receipt['effective_from'] <= receipt['day'] and type(receipt['version']) is int, 'income form')
    base, carry = whole(receipt['base']), whole(receipt['carry_before'])
    units, left, total = (whole(receipt[m]) for m in ('units', 'carry_after', 'total_after'))
    if receipt['type'] == 'liquidity':
        need(all(receipt[m] is None for m in ('order', 'daily_rate', 'nth', 'days')), 'income form')
        amount, divisor = staged(base, receipt['stages']), 365 * RATE_ONE
        need(carry < divisor, 'income remainder')
    else:
        need(receipt['type'] == 'regular' and receipt['stages'] is None and full(UUID, receipt['order']), 'income form')
        nth, days = receipt['nth'], receipt['days']
        need(type(nth) is int and type(days) is int and 1 <= nth <= days, 'income day')
        amount, divisor = base * whole(receipt['daily_rate']), RATE_ONE
        need(carry == amount * (nth - 1) % divisor, 'income remainder')
    need(units == (amount + carry) // divisor, 'income')
    need(left == (amount + carry) % divisor, 'income remainder')
    if receipt['type'] == 'liquidity':
        need(total >= units, 'income total')
    else:
        need(total == amount * receipt['nth'] // divisor, 'income total')
    need(receipt['state'] in ('paid', 'waiting'), 'income form')
    if receipt['state'] == 'waiting' or units == 0:
        need(receipt['transfer'] is None, 'income transfer')
    else:
        exact(receipt['transfer'], ('sequence', 'journal', 'units', 'at'), 'income transfer')
        need(whole(receipt['transfer']['units']) == units, 'income transfer')
    return units


# Section 19: what a device kept, and contradictions

OTHER_ERRORS = (LookupError, TypeError, ValueError, AttributeError, RecursionError)
TIME15, SIGNED15 = re.compile('0|[1-9][0-9]{0,14}'), re.compile('0|-?[1-9][0-9]{0,14}')
SEQ18 = re.compile('[1-9][0-9]{0,17}')
SIGNED, TREE = ('body', 'hash', 'signature', 'key'), ('body', 'hash', 'index', 'path', 'tree')

def texts_only(value, members, others=()):
    exact(value, members + others, 'kept members')
    need(all(isinstance(value[m], str) for m in members), 'kept members')

def each(value, check):
    need(isinstance(value, list), 'kept members')
    for item in value:
        check(item)

def signed_form(item):
    texts_only(item, SIGNED)

def tree_form(item):
    texts_only(item, ('body', 'hash', 'index'), ('path', 'tree'))
    signed_form(item['tree'])
    need(isinstance(item['path'], list) and all(isinstance(p, str) for p in item['path']), 'kept members')

def key_form(key):
    texts_only(key, ('use', 'id', 'public_key'), ('record',))
    need(key['use'] in USES and full(HEX64, key['public_key']), 'kept keys')
    if key['record'] is not None:
        texts_only(key['record'], ('body', 'signature', 'previous_signature'))

def receipt_form(receipt):
    exact(receipt, ('v', 'terms', 'account', 'ticks', 'result', 'transfers') +
          (('promise',) if 'promise' in receipt else ()), 'receipt members')
    if receipt.get('promise') is not None:
        texts_only(receipt['promise'], ('index',), ('path', 'links', 'tick'))
        signed_form(receipt['promise']['tick'])
        for m in ('path', 'links'):
            need(isinstance(receipt['promise'][m], list) and all(isinstance(t, str) for t in receipt['promise'][m]), 'promise members')
    need(receipt['v'] == 'receipt/1', 'receipt type')
    tree_form(receipt['terms'])
    texts_only(receipt['account'], ('salt', 'customer'))
    exact(receipt['ticks'], ('before_start', 'start', 'end', 'after_end'), 'ticks members')
    for item in receipt['ticks'].values():
        if item is not None:
            signed_form(item)
    texts_only(receipt['result'], ('status', 'profit', 'fee', 'credited'), ('reason',))
    need(receipt['result']['reason'] is None or isinstance(receipt['result']['reason'], str), 'result members')
    need(isinstance(receipt['transfers'], list), 'transfers members')
    for t in receipt['transfers']:
        texts_only(t, ('seq', 'kind', 'from', 'to', 'asset', 'amount'), ('resolves',))
        need(t['resolves'] is None or isinstance(t['resolves'], str), 'transfers members')

def contradiction_form(file):
    exact(file, ('v', 'kind', 'about', 'first', 'second', 'keys', 'differs'), 'contradiction members')
    need(file['v'] == 'contradiction/1' and file['kind'] in ('terms', 'tick', 'box', 'draw', 'statement', 'ack', 'liabilities'),
         'contradiction type')
    need(isinstance(file['about'], str), 'contradiction members')
    for item in (file['first'], file['second']):
        tree_form(item) if file['kind'] in ('terms', 'ack') else signed_form(item)
    each(file['keys'], key_form)
    need(isinstance(file['differs'], list) and all(isinstance(d, str) for d in file['differs']), 'contradiction members')

def or_none(pattern, value):
    return value is None or full(pattern, value)

def purchase_form(p):
    texts_only(p, ('kept', 'from'), ('terms', 'rules', 'times'))
    tree_form(p['terms'])
    need(or_none(HEX64, p['rules']) and full(TIME15, p['kept']) and p['from'] in ('answer', 'open'), 'kept purchases')
    if p['times'] is not None:
        texts_only(p['times'], ('sent', 'answered'), ('offset', 'newest_tick'))
        need(full(TIME15, p['times']['sent']) and full(TIME15, p['times']['answered']), 'kept purchases')
        need(or_none(SIGNED15, p['times']['offset']) and or_none(TIME15, p['times']['newest_tick']), 'kept purchases')

def seen_form(row):
    need(isinstance(row, list) and len(row) == 2 and full(SEQ18, row[0]) and full(HEX64, row[1]), 'kept ticks')

def ticks_form(t):
    texts_only(t, ('coin',), ('since', 'seen', 'texts'))
    need(t['coin'] in COINS and or_none(TIME15, t['since']), 'kept ticks')
    each(t['seen'], seen_form)
    need(all(int(a[0]) < int(b[0]) for a, b in zip(t['seen'], t['seen'][1:])), 'kept ticks')
    each(t['texts'], signed_form)

def box_form(b):
    texts_only(b, ('id', 'hash'), ('text',))
    need(full(HEX64, b['hash']), 'kept boxes')
    if b['text'] is not None:
        signed_form(b['text'])
        need(b['text']['hash'] == b['hash'], 'kept boxes')

def draw_form(d):
    texts_only(d, ('order', 'reservation', 'client_seed'), ('text',))
    need(full(HEX64, d['client_seed']), 'kept draws')
    if d['text'] is not None:
        signed_form(d['text'])
        need(d['text']['body'] == d['reservation'], 'kept draws')

def finding_form(f):
    texts_only(f, ('kind', 'about', 'at'), ('says',))
    need(full(TIME15, f['at']), 'kept findings')
    need(isinstance(f['says'], list) and all(isinstance(t, str) for t in f['says']), 'kept findings')

def kept_form(file):
    need(isinstance(file, dict), 'kept members')
    rest = {m: v for m, v in file.items() if m not in ('promises', 'statements')}
    texts_only(rest, ('v', 'platform', 'made'), ('keys', 'purchases', 'ticks', 'boxes', 'draws', 'receipts', 'findings',
                                                 'contradictions'))
    need(file['v'] == 'kept/1' and full(TIME15, file['made']), 'kept members')
    for member, form in (('keys', key_form), ('purchases', purchase_form), ('ticks', ticks_form), ('boxes', box_form),
                         ('draws', draw_form), ('receipts', receipt_form), ('findings', finding_form),
                         ('contradictions', contradiction_form)):
        each(file[member], form)
    need(len({t['coin'] for t in file['ticks']}) == len(file['ticks']), 'kept ticks')
    each(file.get('promises', []), tree_form)
    each(file.get('statements', []),
         lambda item: tree_form(item) if isinstance(item, dict) and 'tree' in item else signed_form(item))

def read_or_none(read, body):
    try:
        return read(signed_bytes(body)[0])
    except (Fault,) + OTHER_ERRORS:
        return None

def tick_or_none(item):
    return read_or_none(lambda text: read_tick(text, sha(signed_bytes(item['body'])[1])), item['body'])

def subject_of(item):
    """What a signed text is about: kind, name, and the moment that dates the signature."""
    if 'tree' in item:
        terms = read_or_none(read_terms, item['body'])
        if terms is not None:
            return 'terms', terms['order'], terms['accepted']
        ack = read_or_none(read_ack, item['body'])
        return ack and ('ack', thing_of(ack), int(ack['at']))
    tick = tick_or_none(item)
    if tick is not None:
        return 'tick', '%s %d' % (tick['sym'], tick['seq']), tick['t']
    box = read_or_none(read_box, item['body'])
    if box is not None:
        return 'box', box['id'], box['opens']
    draw = read_or_none(read_reservation, item['body'])
    if draw is not None:
        return 'draw', draw['order'], draw['reserved']
    head = read_or_none(read_heads, item['body'])
    if head is not None:
        return 'statement', head['acct'], head['at']
    owed = read_or_none(read_liabilities, item['body'])
    return owed and ('liabilities', str(owed['seq']), owed['at'])

def use_of(kind):
    return 'index' if kind == 'tick' else 'receipt'

def check_kept_text(item, keys, use, ms):
    """A text, alone or in a tree, signed by a trusted key of this use in its time."""
    if 'tree' not in item:
        text, raw = read_signed(item)
        return check_signed(item, raw, keys, use, ms)
    exact(item, TREE, 'terms members')
    need(all(full(HEX64, p) for p in item['path']), 'tree path')
    raw = signed_bytes(item['body'])[1]
    need(item['hash'] == sha(raw), 'hash')
    root, size, head = read_head(item['tree'])
    check_signed(item['tree'], head, keys, use, ms)
    need(root_of(raw, number(item['index'], 9, 'tree index'), size, item['path']) == root, 'tree root')

def is_signed(item, keys, use, ms):
    try:
        check_kept_text(item, keys, use, ms)
        return True
    except (Fault,) + OTHER_ERRORS:
        return False

def key_in(item):
    return item['tree']['key'] if 'tree' in item else item['key']

def differences(kind, first, second):
    if kind == 'terms':
        return terms_differ(first, second)
    if kind == 'ack':
        one, other = (canonical(body)['facts'] for body in (first, second))
        return sorted(m for m in set(one) | set(other) if m not in one or m not in other or one[m] != other[m])
    if kind == 'statement':
        found = heads_contradict(*(read_heads(canonical(body)) for body in (first, second)))
        return [] if found is None else list(map(str, found))
    one, other = canonical(first), canonical(second)
    return [m for m in sorted(set(one) | set(other), key=utf16) if m not in one or m not in other or one[m] != other[m]]

def check_contradiction(file):
    if isinstance(file, dict) and file.get('kind') == 'log':
        try:
            return checkpoint.check_log(file)
        except checkpoint.Refused as refused:
            raise Fault(str(refused)) from None
    contradiction_form(file)
    kind, both = file['kind'], (file['first'], file['second'])
    subjects = [subject_of(item) for item in both]
    need(all(s is not None and s[:2] == (kind, file['about']) for s in subjects), 'subject')
    need(both[0]['body'] != both[1]['body'] and file['differs'], 'differences')
    need(file['differs'] == differences(kind, both[0]['body'], both[1]['body']), 'differences')
    ids = {key_in(item) for item in both}
    need(all(k['use'] == use_of(kind) for k in file['keys']), 'keys')
    need(sum(k['record'] is None for k in file['keys']) == 1, 'keys')
    need(len(ids) > 1 or len(file['keys']) == 1, 'keys')
    trusted, refused, _ = trust(file['keys'])
    need(not refused and ids <= {k['id'] for k in trusted}, 'keys')
    for item, (_, _, ms) in zip(both, subjects):
        check_kept_text(item, trusted, use_of(kind), ms)
    return file['differs']

def carried_keys(ids, use, trusted, published):
    mine = [k for k in trusted if k['use'] == use]
    plain = [{m: k[m] for m in ('use', 'id', 'public_key')} for k in mine]
    if len(ids) == 1:
        return [dict(k, record=None) for k in plain if k['id'] in ids]
    out = []
    for k in plain:
        record = next((p.get('record') for p in published if p['public_key'] == k['public_key']), None)
        text = read_or_none(lambda t: t, record['body']) if record else None
        linked = text is not None and text.get('prev') in {m['id'] for m in mine}
        out.append(dict(k, record=record if linked else None))
    return out

def find_contradictions(items, trusted, published):
    things, out = {}, []
    for item in items:
        subject = subject_of(item)
        if subject is not None:
            things.setdefault(subject[:2], {}).setdefault(item['body'], []).append((item, subject[2]))
    for (kind, about), versions in things.items():
        signed = [next((i for i, ms in copies if is_signed(i, trusted, use_of(kind), ms)), None)
                  for copies in versions.values()] if len(versions) > 1 else []
        signed = [i for i in signed if i is not None]
        pairs = ((a, b) for n, a in enumerate(signed) for b in signed[n + 1:] if differences(kind, a['body'], b['body']))
        first, second = next(pairs, (None, None))
        if first is None:
            continue
        found = {'v': 'contradiction/1', 'kind': kind, 'about': about, 'first': first, 'second': second,
                 'keys': carried_keys({key_in(first), key_in(second)}, use_of(kind), trusted, published),
                 'differs': differences(kind, first['body'], second['body'])}
        if fault_of(check_contradiction, found) is None:
            out.append(found)
    return out

def own_heads(file):
    return [i for i in file.get('statements', []) if 'tree' not in i and
            any(read_or_none(read, i['body']) is not None for read in (read_heads, read_liabilities))]

def own_acks(file):
    return [i for i in file.get('promises', []) if read_or_none(read_ack, i['body']) is not None]

def ticks_shown(receipt):
    promise = receipt.get('promise')
    return [item for item in receipt['ticks'].values() if item is not None] + ([promise['tick']] if promise else [])

def judge_kept(file, published=None, receipt=None, draw=None):
    """What is found in a file, by itself and against what is shown now: pairs of kind and name, and contradictions."""
    kept_form(file)
    published = file['keys'] if published is None else published
    keys = trust(published)[0]
    found = []
    for k in file['keys']:
        if not any((k['use'], k['public_key']) == (t['use'], t['public_key']) for t in keys):
            found.append(('key_unknown', k['use'] + ' ' + k['id']))
    receipts = file['receipts'] + ([receipt] if receipt is not None else [])
    for p in file['purchases']:
        terms = read_or_none(read_terms, p['terms']['body'])
        if terms is None:
            found.append(('not_signed', ''))
            continue
        if not is_signed(p['terms'], keys, 'receipt', terms['accepted']):
            found.append(('not_signed', terms['order']))
        if p['rules'] not in (None, terms['terms']):
            found.append(('rules_differ', terms['order']))
        times = p['times']
        if times is not None and not (times['offset'] is None and 'arrived' not in terms):
            sent, answered = int(times['sent']), int(times['answered'])
            if times['offset'] is None:
                sent, answered = terms['arrived'] - (answered - sent), terms['arrived'] + (answered - sent)
            else:
                sent, answered = sent + int(times['offset']), answered + int(times['offset'])
            newest = None if times['newest_tick'] is None else int(times['newest_tick'])
            if fault_of(check_moments, terms, sent, answered, newest) is not None:
                found.append(('moment', terms['order']))
    for r in file['receipts']:
        end = r['ticks']['end'] and tick_or_none(r['ticks']['end'])
        newest = end['t'] if r['ticks']['after_end'] is None and end else None
        try:
            check_receipt(r, keys, None, newest)
        except (Fault,) + OTHER_ERRORS:
            terms = read_or_none(read_terms, r['terms']['body'])
            found.append(('receipt_wrong', terms['order'] if terms else ''))
    for t in file['ticks']:
        for item in t['texts']:
            tick = tick_or_none(item)
            if tick is None or tick['coin'] != t['coin'] or not is_signed(item, keys, 'index', tick['t']):
                found.append(('not_signed', '%s %s' % (t['coin'], tick['seq'] if tick else '')))
    for b in file['boxes']:
        box = b['text'] and read_or_none(read_box, b['text']['body'])
        if b['text'] and (not box or box['id'] != b['id'] or not is_signed(b['text'], keys, 'receipt', box['opens'])):
            found.append(('not_signed', b['id']))
    for item in own_heads(file):
        head, owed = read_or_none(read_heads, item['body']), read_or_none(read_liabilities, item['body'])
        if not is_signed(item, keys, 'receipt', (head or owed)['at']):
            found.append(('not_signed', head['acct'] if head else 'liabilities %d' % owed['seq']))
    for item in own_acks(file):
        ack = read_or_none(read_ack, item['body'])
        if not is_signed(item, keys, 'receipt', int(ack['at'])):
            found.append(('not_signed', thing_of(ack)))
    for d in file['draws']:
        read = read_or_none(read_reservation, d['reservation'])
        if not read or read['order'] != d['order'] or (
                d['text'] is not None and not is_signed(d['text'], keys, 'receipt', read['reserved'])):
            found.append(('not_signed', d['order']))
    kept_of = {}
    for p in file['purchases']:
        kept = read_or_none(read_terms, p['terms']['body'])
        if kept:
            kept_of.setdefault(kept['order'], []).append(p['terms']['body'])
    for r in receipts:
        terms = read_or_none(read_terms, r['terms']['body'])
        for body in kept_of.get(terms['order'], []) if terms else []:
            if body != r['terms']['body']:
                found.append(('terms_differ', terms['order']))
    for t in file['ticks']:
        seen = {int(s): h for s, h in t['seen']}
        for r in receipts:
            own = [tick_or_none(item) for item in ticks_shown(r)]
            if all(tick is not None and tick['coin'] == t['coin'] for tick in own):
                unlike = [k for k in own if seen.get(k['seq'], k['hash']) != k['hash']][:1]
                found += [('tick_differs', '%s %d' % (t['coin'], k['seq'])) for k in unlike]
        for tick in filter(None, map(tick_or_none, t['texts'])):
            if tick['coin'] == t['coin'] and seen.get(tick['seq'], tick['hash']) != tick['hash']:
                found.append(('tick_differs', '%s %d' % (t['coin'], tick['seq'])))
    if draw is not None:
        box, read = read_or_none(read_box, draw['box']['body']), read_or_none(read_reservation, draw['reservation']['body'])
        kept = next((b for b in file['boxes'] if box and b['id'] == box['id']), None)
        if kept and kept['hash'] != sha(signed_bytes(draw['box']['body'])[1]):
            found.append(('draw_differs', box['id']))
        kept = next((d for d in file['draws'] if read and d['order'] == read['order']), None)
        if kept and kept['reservation'] != draw['reservation']['body']:
            found.append(('draw_differs', kept['order']))
        if kept and kept['client_seed'] != draw['client_seed']:
            found.append(('draw_differs', kept['order']))
    items = [p['terms'] for p in file['purchases']]
    items += [o['text'] for m in ('boxes', 'draws') for o in file[m] if o['text'] is not None]
    items += [item for t in file['ticks'] for item in t['texts']] + own_heads(file) + own_acks(file)
    for r in receipts:
        items += [r['terms']] + ticks_shown(r)
    items += [draw['box'], draw['reservation']] if draw is not None else []
    items += [item for c in file['contradictions'] for item in (c['first'], c['second'])]
    contradictions = find_contradictions(items, keys, published)
    names = {(c['kind'], c['about']) for c in contradictions}
    for c in file['contradictions']:
        if fault_of(check_contradiction, c) is not None or (c['kind'], c['about']) not in names:
            found.append(('contradiction_wrong', c['about']))
    return found, contradictions

def unread_types(file):
    """Texts of types that this verifier does not read, by type."""
    acks = own_acks(file)
    unread = [i for i in file.get('promises', []) if i not in acks] + [i for i in file.get('statements', []) if i not in own_heads(file)]
    types = [read_or_none(lambda t: t['v'], i['body']) or '?' for i in unread]
    return sorted((t, types.count(t)) for t in set(types))

def say_contradiction(c):
    if c['kind'] == 'log':
        return print('Two histories of the log %s. The holder of its key %s signed both.' % (c['about'], c['keys'][0]))
    keys = ', '.join(k['id'] for k in c['keys'])
    word = {'terms': 'versions of order', 'tick': 'ticks', 'box': 'versions of box', 'draw': 'reservations of draw',
            'statement': 'statements of customer', 'ack': 'acknowledgements of', 'liabilities': 'sums of liabilities'}[c['kind']]
    print('Two signed %s %s: they differ in %s. One of the two was forged by the holder of key %s.'
          % (word, c['about'], ', '.join(c['differs']), keys))

def verify_kept(args):
    """--kept FILE [--keys FILE] [receipt or draw]. The exit code."""
    file, published, shown = load_json(args[0]), None, None
    rest = args[1:]
    if rest[:1] == ['--keys']:
        published, rest = load_json(rest[1]), rest[2:]
        for name in ('data', 'keys'):
            published = published[name] if isinstance(published, dict) and name in published else published
    if rest:
        shown = load_json(rest[0])
    kept_form(file)
    is_draw = isinstance(shown, dict) and 'reservation' in shown
    if shown is not None and not is_draw:
        receipt_form(shown)
    found, contradictions = judge_kept(file, published, None if is_draw else shown, shown if is_draw else None)
    for kind, about in found:
        print('FOUND %s %s' % (kind, about))
    for c in contradictions:
        say_contradiction(c)
    for name, count in unread_types(file):
        print('Not read: %d of type %s.' % (count, name))
    if published is None:
        print('The keys are the file\'s own: compare them with those that the platform publishes.')
    if found or contradictions:
        print('NOT VERIFIED')
        return 1
    if shown is not None:
        keys = trust(file['keys'] if published is None else published)[0]
        check_draw(shown, keys) if is_draw else check_receipt(shown, keys)
    print('Verified.')
    return 0


# Section 21: a customer's own chain

ENTRY_MEMBERS = ('n', 'seq', 'journal', 'kind', 'resolves', 'amount', 'held', 'total', 'purpose', 'at')
ACCOUNT_NAME, ASSET_NAME = re.compile('[a-z][a-z_]{0,39}'), re.compile('[A-Z][A-Z0-9]{0,14}')
AMOUNT = re.compile('-?[1-9][0-9]{0,37}')

def read_entry(entry):
    exact(entry, ENTRY_MEMBERS, 'entry form')
    need(full(UUID, entry['journal']) and full(ACCOUNT_NAME, entry['purpose']), 'entry form')
    need(entry['kind'] in ('single', 'hold', 'post', 'void') and full(AMOUNT, entry['amount']), 'entry form')
    if entry['kind'] in ('post', 'void'):
        number(entry['resolves'], 18, 'entry form', 1)
    else:
        need(entry['resolves'] is None, 'entry form')
    return {'kind': entry['kind'], 'amount': int(entry['amount']), 'n': number(entry['n'], 18, 'entry form', 1),
            'seq': number(entry['seq'], 18, 'entry form', 1), 'held': number(entry['held'], 38, 'entry form'),
            'total': number(entry['total'], 38, 'entry form'), 'at': number(entry['at'], 15, 'entry form')}

def entry_body(name, asset, entry, prev):
    return write({**entry, 'v': 'entry/1', 'account': name, 'asset': asset, 'prev': prev})

def walk_entries(name, asset, entries):
    """From the beginning: where the entries lead, as n, hash, total and held."""
    last, prev = {'n': 0, 'total': 0, 'held': 0, 'seq': 0, 'at': None}, NIL
    for entry in entries:
        e = read_entry(entry)
        need(e['n'] == last['n'] + 1, 'entry missing')
        need(e['seq'] > last['seq'], 'entry sequence')
        need(last['at'] is None or e['at'] >= last['at'] - TOLERANCE, 'entry time')
        moved = e['amount'] if e['kind'] in ('single', 'post') else 0
        need(e['total'] == last['total'] + moved, 'entry total')
        change, paid = e['held'] - last['held'], -e['amount']
        if e['kind'] == 'single' or paid < 0:
            need(change == 0, 'entry held')
        elif e['kind'] == 'hold':
            need(change == paid, 'entry held')
        else:
            need(change == -paid if e['kind'] == 'void' else change <= -paid, 'entry held')
        need(e['held'] <= e['total'], 'entry held')
        body = entry_body(name, asset, entry, prev)
        last, prev = e, sha(('entry/1\n' + body).encode('utf-8'))
    return last['n'], prev, last['total'], last['held']

def read_heads(text):
    exact(text, ('v', 'acct', 'at', 'env', 'accounts'), 'statement form')
    need(text['v'] == 'statement/1' and full(HEX64, text['acct']), 'statement form')
    need(text['env'] in ('live', 'demo') and isinstance(text['accounts'], list), 'statement form')
    need(len(text['accounts']) <= 500, 'statement form')
    heads = []
    for row in text['accounts']:
        need(isinstance(row, list) and len(row) == 6 and full(ACCOUNT_NAME, row[0]), 'statement form')
        need(full(ASSET_NAME, row[1]) and full(HEX64, row[3]), 'statement form')
        head = {'name': row[0], 'asset': row[1], 'n': number(row[2], 18, 'statement form', 1), 'hash': row[3],
                'total': number(row[4], 38, 'statement form'), 'held': number(row[5], 38, 'statement form')}
        need(head['held'] <= head['total'], 'statement form')
        need(not heads or (heads[-1]['name'], heads[-1]['asset']) < (row[0], row[1]), 'statement form')
        heads.append(head)
    return {'acct': text['acct'], 'at': number(text['at'], 15, 'statement form', 1), 'heads': heads}

def check_statement(file, keys):
    """The file of a whole statement: heads, and all entries from the beginning to them. Answers how many."""
    exact(file, ('v', 'signed', 'account', 'accounts'), 'file form')
    need(file['v'] == 'statements/1' and isinstance(file['accounts'], list), 'file form')
    text, raw = read_signed(file['signed'])
    statement = read_heads(text)
    check_signed(file['signed'], raw, keys, 'receipt', statement['at'])
    account = file['account']
    exact(account, ('salt', 'customer'), 'file form')
    need(full(SALT, account['salt']) and full(CUSTOMER, account['customer']), 'seal')
    need(sha((account['salt'] + ':' + account['customer']).encode()) == statement['acct'], 'seal')
    need(len(file['accounts']) == len(statement['heads']), 'accounts')
    for head, shown in zip(statement['heads'], file['accounts']):
        exact(shown, ('name', 'asset', 'entries'), 'file form')
        need((shown['name'], shown['asset']) == (head['name'], head['asset']), 'accounts')
        need(isinstance(shown['entries'], list), 'file form')
        need(walk_entries(head['name'], head['asset'], shown['entries'])
             == (head['n'], head['hash'], head['total'], head['held']), 'head')
    return sum(len(shown['entries']) for shown in file['accounts'])

def heads_contradict(one, other):
    """Two heads of one customer: (kind, name, asset, n) of the first contradiction, or None."""
    if one['acct'] != other['acct']:
        return None
    earlier, later = (one, other) if one['at'] <= other['at'] else (other, one)
    now = {(h['name'], h['asset']): h for h in later['heads']}
    for head in earlier['heads']:
        place = (head['name'], head['asset'])
        after = now.get(place)
        if after is not None and after['n'] == head['n']:
            if after != head:
                return ('rewritten', *place, head['n'])
        elif earlier['at'] < later['at'] and (after is None or after['n'] < head['n']):
            return ('rolled_back', *place, head['n'])
    return None


# Section 14: test vectors


# Section 22: what a server acknowledged

ACK_NAME = re.compile('[a-z][a-z_]{0,39}')
ACK_ID = re.compile('[!-~]{1,100}')

def read_ack(text):
    exact(text, ('v', 'about', 'id', 'acct', 'at', 'env', 'facts'), 'ack form')
    need(text['v'] == 'ack/1' and full(ACK_NAME, text['about']) and full(ACK_ID, text['id']), 'ack form')
    need(full(HEX64, text['acct']) and text['env'] in ('live', 'demo'), 'ack form')
    number(text['at'], 15, 'ack form', 1)
    facts = text['facts']
    need(isinstance(facts, dict) and 0 < len(facts) <= 40 and all(full(ACK_NAME, name) for name in facts), 'ack form')
    # The limit counts UTF-16 code units.
    need(all(f is None or isinstance(f, str) and len(f.encode('utf-16-le')) <= 4_000 for f in facts.values()), 'ack form')
    return text

def thing_of(ack):
    return '%s %s %s' % (ack['about'], ack['id'], ack['acct'])


# Section 23: what the platform owes

SUM_COLUMN = re.compile('[A-Z][A-Z0-9]{0,14}')

def units(text, word):
    return number(text, 38, word)

def read_liabilities(text):
    exact(text, ('v', 'seq', 'prev', 'at', 'ledger', 'env', 'size', 'root', 'sums'), 'liabilities form')
    need(text['v'] == 'liabilities/1' and text['env'] in ('live', 'demo'), 'liabilities form')
    seq = number(text['seq'], 18, 'liabilities form', 1)
    need(full(HEX64, text['prev']) and full(HEX64, text['root']) and (seq == 1) == (text['prev'] == NIL), 'liabilities form')
    number(text['ledger'], 18, 'liabilities form')
    size = number(text['size'], 10, 'liabilities form', 1)
    need(size <= 0x7fffffff and isinstance(text['sums'], list) and len(text['sums']) <= 64, 'liabilities form')
    need(all(isinstance(row, list) and len(row) == 2 for row in text['sums']), 'liabilities form')
    columns = [row[0] for row in text['sums']]
    need(all(full(SUM_COLUMN, c) for c in columns[:-1]) and columns[-1:] == ['options'], 'liabilities form')
    need(columns == sorted(set(columns)), 'liabilities form')
    return {'seq': seq, 'at': number(text['at'], 15, 'liabilities form', 1), 'size': size, 'root': text['root'], 'columns': columns,
            'sums': [units(row[1], 'liabilities form') for row in text['sums']]}

def read_leaf(text):
    exact(text, ('v', 'salt', 'customer', 'accounts', 'options'), 'leaf form')
    need(text['v'] == 'liability/1' and full(HEX64, text['salt']), 'leaf form')
    number(text['customer'], 19, 'leaf form', 1)
    need(isinstance(text['accounts'], list), 'leaf form')
    rows = []
    for row in text['accounts']:
        need(isinstance(row, list) and len(row) == 4 and full(ACCOUNT_NAME, row[0]) and full(ASSET_NAME, row[1]), 'leaf form')
        number(row[2], 18, 'leaf form', 1)
        need(not rows or rows[-1][:2] < (row[0], row[1]), 'leaf form')
        rows.append((row[0], row[1], units(row[3], 'leaf form')))
    return text['customer'], [(asset, total) for _, asset, total in rows] + [('options', units(text['options'], 'leaf form'))]

def add_nodes(left, right):
    text = {'v': 'sum/1', 'left': [left[0]] + [str(u) for u in left[1]], 'right': [right[0]] + [str(u) for u in right[1]]}
    return sha(signed_bytes(write(text))[1]), [a + b for a, b in zip(left[1], right[1])]

def check_liability(proof, customer, keys):
    text, raw = read_signed(proof['signed'])
    tree = read_liabilities(text)
    check_signed(proof['signed'], raw, keys, 'receipt', tree['at'])
    owner, amounts = read_leaf(canonical(proof['leaf']))
    need(all(column in tree['columns'] for column, _ in amounts), 'leaf form')
    need(owner == customer, 'leaf of another')
    at = sha(signed_bytes(proof['leaf'])[1]), [sum(u for c, u in amounts if c == column) for column in tree['columns']]
    fn, sn = number(proof['index'], 10, 'index'), tree['size'] - 1
    need(fn <= sn and len(proof['path']) <= 31, 'index')
    for row in proof['path']:
        need(len(row) == len(tree['columns']) + 1 and full(HEX64, row[0]), 'path')
        beside = row[0], [units(u, 'path') for u in row[1:]]
        need(sn != 0, 'path')
        if fn & 1 or fn == sn:
            at = add_nodes(beside, at)
            while not fn & 1 and fn != 0:
                fn, sn = fn >> 1, sn >> 1
        else:
            at = add_nodes(at, beside)
        fn, sn = fn >> 1, sn >> 1
    need(sn == 0 and at == (tree['root'], tree['sums']), 'root')


# Section 27: what a device signed

P = 2 ** 256 - 2 ** 224 + 2 ** 192 + 2 ** 96 - 1
ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551
B = 0x5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604b
BASE = (0x6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296,
        0x4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5)

def p256_add(one, other):
    """Two points of P-256; None is the identity."""
    if one is None or other is None:
        return one or other
    (x, y), (u, v) = one, other
    if x == u and (y + v) % P == 0:
        return None
    slope = (3 * x * x - 3) * pow(2 * y, -1, P) if x == u else (v - y) * pow(u - x, -1, P)
    w = (slope * slope - x - u) % P
    return w, (slope * (x - w) - y) % P

def p256_times(k, point):
    total = None
    while k:
        if k & 1:
            total = p256_add(total, point)
        point, k = p256_add(point, point), k >> 1
    return total

def check_p256(public_key, raw, signature):
    need(full(re.compile('04[0-9a-f]{128}'), public_key) and full(HEX128, signature), 'signature form')
    x, y, r, s = (int(part, 16) for part in (public_key[2:66], public_key[66:], signature[:64], signature[64:]))
    need(x < P and y < P and (y * y - x ** 3 + 3 * x - B) % P == 0, 'key')
    need(0 < r < ORDER and 0 < s < ORDER, 'signature')
    inverse = pow(s, -1, ORDER)
    point = p256_add(p256_times(int(sha(raw), 16) * inverse % ORDER, BASE), p256_times(r * inverse % ORDER, (x, y)))
    need(point is not None and point[0] % ORDER == r, 'signature')

def check_ordered(body, signature, public_key):
    text, raw = signed_bytes(body)
    exact(text, ('v', 'at', 'call', 'fields', 'intent', 'key'), 'order form')
    need(text['v'] == 'ordered/1' and full(re.compile('POST /[A-Za-z/]{1,60}'), text['call']), 'order form')
    need(full(re.compile('[A-Za-z0-9_-]{8,64}'), text['intent']), 'order form')
    number(text['at'], 15, 'order form', 1)
    fields = text['fields']
    need(full(HEX64, fields) or isinstance(fields, dict) and all(isinstance(f, str) for f in fields.values()), 'order form')
    need(text['key'] == sha(bytes.fromhex(public_key))[:32], 'key id')
    check_p256(public_key, raw, signature)

def commitment_of(salt, fields):
    return sha((salt + write(fields)).encode('utf-8'))



def fault_of(check, *args):
    """None when the check passes, its word otherwise."""
    try:
        check(*args)
        return None
    except Fault as fault:
        return str(fault)

def run_vectors(folder):
    def load(name):
        with open(os.path.join(folder, name + '.json'), encoding='utf-8') as file:
            return json.load(file)

    results = []                                       # (name, agrees)
    texts, prices, ticks, receipts, memory = map(load, ('texts', 'prices', 'ticks', 'receipts', 'memory'))

    for i, body in enumerate(texts['canonical']['texts']):
        results.append(('texts canonical %d' % i, fault_of(canonical, body) is None))
    for i, body in enumerate(texts['canonical']['refused']):
        results.append(('texts refused %d' % i, fault_of(canonical, body) is not None))
    s = texts['signatures']
    for i, item in enumerate(s['texts']):
        keys = ready_keys([{'use': 'index', 'id': s['key'], 'public_key': s['public_key']}])
        wire = {m: item[m] for m in ('body', 'hash', 'signature', 'key')}
        raw = signed_bytes(item['body'])[1]
        results.append(('texts signed %d' % i, key_id(s['public_key']) == s['key'] and read_signed(wire)[1] == raw
                        and fault_of(check_signed, wire, raw, keys, 'index', 0) is None
                        and item['signed_bytes'] in (raw.hex(), raw.decode())))
    for i, body in enumerate(s['unsigned']):
        results.append(('texts unsigned %d' % i, fault_of(signed_bytes, body) is not None))
    for case in texts['signed']:
        text, key = case['text'], {'use': 'index', 'id': key_id(case['public_key']), 'public_key': case['public_key']}
        fault = fault_of(lambda t, k: check_signed(t, read_signed(t)[1], ready_keys([k]), 'index', 0), text, key)
        results.append(('texts signature ' + case['name'], (fault is None) == case['ok']))
    for i, case in enumerate(texts['files']):
        fault = fault_of(lambda t: json.loads(t, object_pairs_hook=pairs), case['text'])
        results.append(('texts file %d' % i, (fault is None) == case['ok']))
    seal = s['seal']
    results.append(('texts seal', sha((seal['salt'] + ':' + seal['customer']).encode()) == seal['seal']))
    for tree in texts['trees']:
        for p in tree['proofs']:
            agrees = root_of(signed_bytes(p['body'])[1], int(p['index']), int(tree['size']), p['path']) == tree['root']
            results.append(('texts tree %s/%s' % (p['index'], tree['size']), agrees))

    for rule, steps in prices['steps'].items():
        results.append(('prices ' + rule, {c: str(v) for c, v in STEPS[rule].items()} == steps))
    for case in prices['medians']:
        price = price_of([(c, int(p)) for c, p in case['used']], case['rule'], case['coin'])
        results.append(('prices ' + case['name'], str(price) == case['price']))

    index = ready_keys([ticks['key']])

    def bare(item):
        return read_tick(read_signed(item)[0], item['hash'])

    def one_tick(case):
        tick = open_tick(case['text'], index)
        if case['previous'] is not None:
            check_link(bare(case['previous']), tick)

    for case in ticks['ticks']:
        results.append(('ticks ' + case['name'], (fault_of(one_tick, case) is None) == case['ok']))
    for case in ticks['pages']:
        before = bare(case['before']) if case['before'] is not None else None
        fault = fault_of(check_page, case['items'], ready_keys(case['keys']), before)
        results.append(('pages ' + case['name'], (fault is None) == case['ok']))

    for i, case in enumerate(receipts['terms']):
        fault = fault_of(lambda body: read_terms(signed_bytes(body)[0]), case['body'])
        results.append(('terms %d' % i, (fault is None) == case['ok']))
    for case in receipts['receipts']:
        known = case['known']
        newest = known['newest_tick_ms'] and int(known['newest_tick_ms'])
        fault = fault_of(check_receipt, case['receipt'], ready_keys(case['keys']), known['rules_hash'], newest)
        results.append(('receipts ' + case['name'], (fault is None) == case['verified']))

    for case in load('keys'):
        trusted, refused, withdrawn = trust(case['published'], case['pinned'])
        got = sorted((k['public_key'], str(k['from']), str(k['until'])) for k in trusted)
        want = sorted((k['public_key'], str(k['from']), str(k['until'])) for k in case['trusted'])
        agrees = got == want and (sorted(e['public_key'] for e, _ in refused)
                                  == sorted(r['public_key'] for r in case['refused']))
        agrees &= sorted(case['withdrawn']) == sorted(p['public_key'] for p in withdrawn)
        results.append(('keys ' + case['name'], agrees))

    for case in memory['forks']:
        found = fork(case['seen'], case['texts'], case['head'], case.get('asked'))
        results.append(('forks ' + case['name'], found == (case['fork'] and case['fork'].replace('_', ' '))))

    def public(case):
        check_public([bare(t) for t in case['ticks'].values() if t is not None], check_page(case['texts'], index))

    for case in memory['public_chains']:
        results.append(('public chain ' + case['name'], (fault_of(public, case) is None) == (case['fault'] is None)))
    for i, case in enumerate(memory['terms']):
        results.append(('kept terms %d' % i, sorted(terms_differ(case['kept'], case['shown'])) == sorted(case['differs'])))
    for i, case in enumerate(memory['moments']):
        fault = fault_of(check_moments, read_terms(signed_bytes(case['body'])[0]), int(case['sent']),
                         int(case['answered']), case['newest_tick'] and int(case['newest_tick']))
        results.append(('moments %d' % i, (fault is None) == (case['fault'] is None)))

    draws = load('draws')
    for case in draws['draws']:
        fault = fault_of(check_draw, case['draw'], ready_keys(draws['keys']), case['kept'])
        results.append(('draws ' + case['name'], (fault is None) == case['verified']))
    for case in draws['files']:
        fault = fault_of(lambda file, keys, given: need(check_box(file, keys)[1] == given, 'given'), case['file'],
                         ready_keys(draws['keys']), case['given'])
        results.append(('boxes ' + case['name'], (fault is None) == case['verified']))

    kept = load('kept')
    for case in kept['files']:
        got = verdict_of_kept(dict(case, kept=case['file']))
        want = {'ok': case['ok'], 'found': case['found'], 'contradictions': case['contradictions']} if case['is_kept'] else None
        results.append(('kept ' + case['name'], got == want))
    for case in kept['contradictions']:
        results.append(('contradictions ' + case['name'], (fault_of(check_contradiction, case['file']) is None) == case['ok']))

    for case in load('incomes'):
        results.append(('incomes ' + case['name'], (fault_of(check_income, case['receipt']) is None) == case['verified']))

    for i, case in enumerate(load('bids')):
        sale = [int(case[m]) for m in ('vol_bps', 'band_bps', 'spread_bps')]
        figures = [int(case[m]) for m in ('stake', 'gain', 'start', 'price', 'step', 'left')]
        paid = bid(sale, case['dir'] == 'up', *figures)
        results.append(('bids %d' % i, (None if paid is None else str(paid)) == case['bid']))
    for case in load('liabilities'):
        fault = fault_of(check_liability, case['proof'], case['customer'], ready_keys(case['keys']))
        results.append(('liabilities ' + case['name'], (fault is None) == (case['fault'] is None)))
    ordered = load('ordered')
    for case in ordered['texts']:
        fault = fault_of(check_ordered, case['body'], case['signature'], case['public_key'])
        results.append(('ordered ' + case['name'], (fault is None) == (case['fault'] is None)))
    for i, case in enumerate(ordered['commitments']):
        results.append(('commitments %d' % i, commitment_of(case['salt'], case['fields']) == case['commitment']))
    statements = load('statements')
    for case in statements['entries']:
        body = entry_body(case['account']['name'], case['account']['asset'], case['entry'], case['prev'])
        results.append(('entries ' + case['entry']['n'], body == case['body']
                        and sha(signed_bytes(body)[1]) == case['hash']))
    for case in statements['files']:
        fault = fault_of(check_statement, case['file'], ready_keys(case['keys']))
        results.append(('statements ' + case['name'], (fault is None) == case['verified']))
    for case in statements['contradictions']:
        found = heads_contradict(*(read_heads(signed_bytes(case[m]['body'])[0]) for m in ('one', 'other')))
        want = case['contradiction']
        results.append(('heads ' + case['name'],
                        found == (want and (want['kind'], want['name'], want['asset'], int(want['n'])))))

    wrong = [name for name, agrees in results if not agrees]
    print('%d of %d vectors agree.' % (len(results) - len(wrong), len(results)))
    for name in wrong:
        print('Does not agree: ' + name)
    return 1 if wrong else 0


# Command line

def load_json(path):
    """A file that is judged: UTF-8, no member twice."""
    try:
        with open(path, 'rb') as file:
            return json.loads(file.read().decode('utf-8'), object_pairs_hook=pairs)
    except OSError:
        raise Fault('no file') from None
    except (ValueError, RecursionError):
        raise Fault('not JSON') from None

def newest_known(ticks, head, ms):
    """The newest tick's time, as far as the pages tell it: one after ms, or the one that is the head."""
    last = ticks[-1] if ticks else None
    if last and (last['t'] > ms or head and head['sequence'] == str(last['seq'])):
        return last['t']
    return None

def check_file(file, keys):
    """A receipt, a draw as the app saves it, the public file of a box, or the answer about a day's income."""
    data = file.get('data') if isinstance(file, dict) else None
    income = data if isinstance(data, dict) and 'carry_before' in data else file
    if isinstance(income, dict) and 'carry_before' in income:
        print('The day pays %d units.' % check_income(income))
    elif isinstance(file, dict) and file.get('v') == 'statements/1':
        print('%d entries lead to the signed heads.' % check_statement(file, keys))
    elif isinstance(file, dict) and 'reservation' in file:
        check_draw(file, keys)
    elif isinstance(file, dict) and 'commitments' in file:
        print('%d draws; each row of the table was drawn: %s.' % check_box(file, keys))
    else:
        check_receipt(file, keys)
        say_returned(file)
    return None

def say_returned(receipt):
    back = returned(receipt)
    if back is not None:
        print('HAD VOID: the customer had the order void; %d.%06d USDT went back.' % divmod(int(back), 10 ** 6))

def verify_files(receipt, keys, pages):
    keys, receipt = keys_of(load_json(keys)), load_json(receipt)
    if pages is None:
        return check_file(receipt, keys)
    items, head, heads = [], None, []
    for path in pages:
        page = load_json(path)
        page = page['data'] if isinstance(page, dict) and 'data' in page else page
        need(isinstance(page, dict) and isinstance(page.get('items'), list), 'page form')
        head = page.get('head')
        if head is not None:
            exact(head, ('sequence', 'hash'), 'page form')
            need(full(HEX64, head['hash']) and number(head['sequence'], 18, 'page form', 1), 'page form')
            heads.append(head)
        need(not page['items'] or (isinstance(page['items'][-1], dict) and page['items'][-1].get('signature')),
             'signature missing')
        items += page['items']
    ticks = check_page(items, keys)
    by_seq = {str(t['seq']): t['hash'] for t in ticks}
    need(all(by_seq.get(h['sequence'], h['hash']) == h['hash'] for h in heads), 'chain')
    check_form(receipt)
    terms = check_in_tree(receipt['terms'], keys)
    ms = terms['accepted'] if receipt['ticks']['start'] is None else terms['accepted'] + terms['dur']
    there, _, _ = check_receipt(receipt, keys, None, newest_known(ticks, head, ms))
    check_public(there, ticks)
    say_returned(receipt)
    return len(ticks)

def verdict_of_kept(case):
    """What is found in a file; None when it is none."""
    try:
        kept_form(case['kept'])
    except (Fault,) + OTHER_ERRORS:
        return None
    found, contradictions = judge_kept(case['kept'], case.get('keys'), case.get('receipt'), case.get('draw'))
    return {'ok': not found and not contradictions, 'found': [' '.join(pair) for pair in found],
            'contradictions': [{m: c[m] for m in ('kind', 'about', 'differs')} for c in contradictions]}

def verdict(case):
    if 'kept' in case:
        return verdict_of_kept(case)
    if 'contradiction' in case:
        try:
            check_contradiction(case['contradiction'])
            return True
        except (Fault,) + OTHER_ERRORS:
            return False
    try:
        if 'statement' in case:
            check_statement(case['statement'], keys_of(case['keys']))
        else:
            check_receipt(case['receipt'], keys_of(case['keys']))
        return True
    except (Fault, LookupError, TypeError, ValueError, AttributeError, RecursionError):
        return False

def main(args):
    if len(args) == 2 and args[0] == '--vectors':
        return run_vectors(args[1])
    if len(args) == 2 and args[0] == '--verdicts':
        print(json.dumps([verdict(case) for case in load_json(args[1])]))
        return 0
    if len(args) in (1, 2, 3, 4, 5) and (args[0] == '--kept' and len(args) > 1 or len(args) == 1):
        try:
            if args[0] == '--kept':
                return verify_kept(args[1:])
            file = load_json(args[0])
            check_contradiction(file)
        except Fault as fault:
            print('NOT VERIFIED: %s' % fault)
            return 1
        except OTHER_ERRORS:
            print('NOT VERIFIED: file form')
            return 1
        say_contradiction(file)
        print('Verified: the contradiction proves itself.')
        return 0
    if len(args) != 2 and not (len(args) > 3 and args[2] == '--pages'):
        print(__doc__)
        return 2
    try:
        count = verify_files(args[0], args[1], args[3:] if len(args) > 2 else None)
    except Fault as fault:
        print('NOT VERIFIED: %s' % fault)
        return 1
    except (LookupError, TypeError, ValueError, AttributeError, RecursionError):
        print('NOT VERIFIED: file form')
        return 1
    if count is not None:
        print('The %d public ticks are one chain and hold those of the receipt.' % count)
    print('Verified.')
    return 0

if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
