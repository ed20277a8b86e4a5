import type { Call } from '@sathorn/api';
import {
  buyOption,
  changePaymentPassword,
  fundDemo,
  listRates,
  loginCustomer,
  placeContract,
  readConfig,
  registerCustomer,
} from '@sathorn/api';
import { describe, expect, it } from 'vitest';
import { parseForm } from './parse-form.ts';
import { readRequest, requestShapeOf } from './request-shape.ts';
import { MALFORMED_AMOUNTS } from './testing.ts';

function faultsOf(call: Call, text: string): Record<string, string> | null {
  const shape = requestShapeOf(call);
  const read = readRequest(call, shape, parseForm(text, shape.known));
  return read.ok ? null : { ...read.faults };
}

const SIGN_UP =
  'mode=phone&phone=66812345678&code=123456&password=abc123&paypass=482913&username=somchai&currency=BAHT&agree=true';

describe('readRequest', () => {
  it.each<[string, Call, string, Record<string, string> | null]>([
    ['a whole purchase', buyOption, 'code=BTC&direction=up&quantity=10&duration=30', null],
    ['unknown fields', buyOption, 'code=BTC&direction=up&quantity=10&duration=30&status=won&vip_level=9', null],
    [
      'nothing',
      buyOption,
      '',
      { code: 'coin_required', direction: 'required', quantity: 'required', duration: 'required' },
    ],
    ['an empty amount', buyOption, 'code=BTC&direction=up&quantity=&duration=30', { quantity: 'required' }],
    [
      'a duplicate beside a fault',
      buyOption,
      'code=X&direction=up&quantity=1&quantity=9&duration=30',
      { code: 'coin_unknown', quantity: 'duplicate' },
    ],
    ['a choice that is none', readConfig, 'act=secrets', { act: 'choice_unknown' }],
    ['no choice', readConfig, '', { act: 'required' }],
    ['an optional field left out', listRates, '', null],
    ['an optional field sent empty', listRates, 'code=', null],
    ['an optional field that is wrong', listRates, 'code=XXX', { code: 'choice_unknown' }],
    ['a sign-up', registerCustomer, SIGN_UP, null],
    [
      'a sign-up by phone without one',
      registerCustomer,
      SIGN_UP.replace('phone=66812345678&', ''),
      { phone: 'required' },
    ],
    [
      'a sign-up without the agreement',
      registerCustomer,
      SIGN_UP.replace('&agree=true', ''),
      { agree: 'agreement_required' },
    ],
    [
      'a sign-up that declines it',
      registerCustomer,
      SIGN_UP.replace('agree=true', 'agree=false'),
      { agree: 'agreement_required' },
    ],
    ['a short password', registerCustomer, SIGN_UP.replace('abc123', 'abc'), { password: 'password_format' }],
    ['no credentials', loginCustomer, 'username=&password=', { username: 'required', password: 'required' }],
    [
      'passwords that differ',
      changePaymentPassword,
      'old=482913&password=593024&confirm=593025',
      { confirm: 'passwords_differ' },
    ],
    ['neither old nor code', changePaymentPassword, 'password=593024&confirm=593024', { old: 'required' }],
  ])('%s', (_name, call, text, faults) => expect(faultsOf(call, text)).toEqual(faults));

  // Ambiguous amounts (threats.md A8).
  describe.each<[string, Call, string]>([
    ['quantity', buyOption, 'code=BTC&direction=up&duration=30'],
    ['amount', placeContract, 'code=BTC&side=buy&type=market'],
    ['price', placeContract, 'code=BTC&side=buy&type=limit&quantity=1'],
    ['amount', fundDemo, 'asset=USDT'],
  ])('the %s of %o', (field, call, rest) => {
    const faultsOfText = (text: string) => faultsOf(call, `${rest}&${field}=${encodeURIComponent(text)}`);

    it.each(MALFORMED_AMOUNTS)('is not %j', (text) => {
      expect(faultsOfText(text)).toEqual({ [field]: field === 'price' ? 'price_malformed' : 'amount_malformed' });
    });

    it.each(['0', '1', '0.000001', '10.5', '999999999999999999', '1.000000'])('may be %s', (text) => {
      expect(faultsOfText(text)).toBeNull();
    });
  });
});
