import { randomUUID } from 'node:crypto';
import {
  addAlert,
  addApiKey,
  addDeviceKey,
  addPayee,
  addRecurring,
  addRenewal,
  buyOption,
  CALLS,
  type Call,
  drawBox,
  editAvatar,
  finishOwnPasskey,
  finishProof,
  fundDemo,
  listAccountRecords,
  listBalances,
  listBoxes,
  listContracts,
  listEarningOrders,
  listFills,
  listMessages,
  listOptions,
  listPayees,
  listSessions,
  listSignIns,
  placeContract,
  placeWaiting,
  quoteWithdrawal,
  readBalance,
  readPicture,
  readQuote,
  readStatementHead,
  readSupport,
  readUser,
  requestWithdrawal,
  sendSupport,
  setOwnLimit,
  startOwnPasskey,
  startProof,
  submitDeposit,
  subscribeEarning,
  uploadPicture,
} from '@sathorn/api';
import sharp from 'sharp';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { DEMO_CUSTOMER } from '../demo/demo/index.ts';
import { createTestDevice } from '../people/customers/device-keys/testing-device.ts';
import { createTestPasskey } from '../people/customers/second-factor/testing-passkey.ts';
import { type Envelope, openTestPlatform, type TestForm, type TestPlatform } from './testing-platform.ts';

/** An id that belongs to somebody else, and a similar one that does not exist. */
interface Named {
  readonly theirs: string;
  readonly nobodys: string;
}
type Row = Readonly<Record<string, string | Named>>;

const UUID = '00000000-0000-4000-8000-000000000000';
/** Ids and cursors in the modules' formats. */
const NAMES = [UUID, `1793000000000.${UUID}`, '1793000000000-BTC-1', 'A'.repeat(16), 'A'.repeat(22)];
/** A bank card instead of a wallet, because there is no chain here. */
const CARD = {
  type: 'card',
  real_name: 'Nicha Phromsiri',
  ifsc: '0123',
  bank: 'SCB',
  number: '0123456789',
  phone: '0812345678',
  email: 'bank@demo.example',
};
/**
 * Fields that name no row: the caller makes a nonce, and a proof is only their own. Certification pictures need an
 * operator's decision first; `certifications.test.ts` sends somebody else's.
 */
const NAME_NOTHING = new Set(['nonce', 'word', 'otp', 'credential', 'front', 'back', 'selfie', 'p256dh', 'auth']);
/** The ids of these calls belong to nobody: a box is for all, and a cursor of disputes is a time. */
const NAMES_PUBLIC = new Set(['/box/draw', '/users/disputes']);
/** A correction needs two operators first; `corrections.test.ts` requests somebody else's, and its disputes. */
const NAMED_ELSEWHERE = new Set(['/users/corrections', '/users/disputes/money']);
const STRANGER_PAYPASS = '492716';
const STRANGER = { username: 'anan', password: 'Rama8Bridge' };

/** A call's fields that take an id, which may be somebody else's. */
function namingFields({ who, path, request }: Call): string[] {
  if (NAMES_PUBLIC.has(path) || NAMED_ELSEWHERE.has(path)) return [];
  const entries = 'entries' in request ? Object.entries(request.entries as Record<string, v.GenericSchema>) : [];
  const takes = (schema: v.GenericSchema, text: string) => v.safeParse(schema, text).success;
  return entries
    .filter(([field, schema]) => field === 'ids' || (NAMES.some((id) => takes(schema, id)) && !takes(schema, '%')))
    .filter(([field]) => who === 'customer' && !NAME_NOTHING.has(field))
    .map(([field]) => field);
}

const formOf = (row: Row, which: keyof Named): TestForm =>
  Object.fromEntries(
    Object.entries(row).map(([field, value]) => [field, typeof value === 'string' ? value : value[which]]),
  );

describe('F1 a stranger', () => {
  let platform: TestPlatform;
  let [owner, stranger] = ['', ''];
  /** The stranger's requests, by call. */
  let asked: Readonly<Record<string, Row | readonly Row[]>>;
  let pictureId: Named;
  let payeeId: Named;
  let signInId: Named;
  /** Texts that answers to others must never contain. */
  let secrets: readonly string[];

  const ask = (call: Call, token: string, fields: TestForm | FormData = {}) =>
    platform.send(call, fields, { ...(token && { token }), 'idempotency-key': randomUUID() });
  const get = async (call: Call, token: string, fields: TestForm | FormData = {}): Promise<Envelope['data']> => {
    const { answer } = await ask(call, token, fields);
    if (answer.ret !== 1) throw new Error(`${call.path}: ${answer.msg}`);
    return answer.data;
  };
  const itemsOf = async (call: Call, fields: TestForm = {}): Promise<Record<string, string>[]> =>
    (await get(call, owner, fields)).items as Record<string, string>[];

  const LISTS: [Call, TestForm][] = [
    [listOptions, { status: 'holding' }],
    [listContracts, { status: 'all' }],
    [listFills, {}],
    [listAccountRecords, { setup: 'all' }],
    [listMessages, { status: 'all' }],
    [listSessions, {}],
    [listEarningOrders, {}],
    [listEarningOrders, { type: 'regular' }],
  ];
  /** All the owner's data, except what the market and the clock change. */
  const readAll = async (): Promise<unknown> => {
    const all = [
      await Promise.all(LISTS.map(([call, fields]) => itemsOf(call, fields))),
      await get(readUser, owner),
      await get(readBalance, owner, { code: 'DOGE' }),
      await get(listBalances, owner),
      await get(readPicture, owner, { id: pictureId.theirs }),
      await get(listPayees, owner),
      await get(readSupport, owner),
      await get(readStatementHead, owner),
    ];
    // The statement beside another answer may be ten seconds old.
    const moves = new Set(['coins', 'total', 'used_at', 'statement']);
    return JSON.parse(JSON.stringify(all, (key, value) => (moves.has(key) ? undefined : value)));
  };

  beforeAll(async () => {
    platform = await openTestPlatform({ SIM_SEED: 'strangers', ROLES: 'edge,index,matcher,settler' });
    stranger = await platform.signIn(STRANGER);
    await get(fundDemo, stranger, { asset: 'USDT', amount: '1000' });

    const signIn = (device: string) => platform.signIn(DEMO_CUSTOMER, device);
    owner = await signIn('a phone');
    // Signs in from new devices, each of which sends a notice.
    for (const device of ['a tablet', 'a laptop', 'a watch']) await signIn(device);
    const bet = { code: 'BTC', direction: 'up', quantity: '10', duration: '300' };
    const phone = createTestDevice();
    await get(addDeviceKey, owner, { public_key: phone.publicKey });
    for (const intent of [randomUUID(), randomUUID()]) {
      const ordered = phone.order({ call: 'POST /coin/order/add', intent, fields: bet });
      await platform.send(buyOption, bet, { token: owner, 'idempotency-key': intent, ordered });
    }
    // Uses a coin on which the stranger has no orders, because orders and public trades share a numbering.
    await get(fundDemo, owner, { asset: 'DOGE', amount: '1000' });
    const { price } = await get(readQuote, '', { code: 'DOGE' });
    const order = { code: 'DOGE', side: 'sell', type: 'limit', quantity: '100' };
    // One order that rests far away, and two that the market maker's quotes fill.
    const resting = await get(placeContract, owner, { ...order, price: (Number(price) * 1.4).toFixed(5) });
    for (let fills = 0; fills < 2; ) {
      const { answer } = await ask(placeContract, owner, { ...order, type: 'market' });
      if (answer.ret === 1) fills += 1;
      else expect(answer.data.code, String(price)).toBe('no_liquidity');
    }
    const trigger = (Number(price) * 0.5).toFixed(5);
    const stop = { ...order, type: 'market', trigger: 'stop', trigger_price: trigger };
    // The list's next page begins after the newer of two.
    await get(placeWaiting, owner, stop);
    const waited = await get(placeWaiting, owner, stop);
    const regular = await get(addRecurring, owner, { code: 'BTC', amount: '10', every: 'day', hour: '3' });
    const image = new FormData();
    const background = '#5d43e4';
    const png = await sharp({ create: { width: 60, height: 40, channels: 3, background } })
      .png()
      .toBuffer();
    image.append('image', new Blob([new Uint8Array(png)]), 'me.png');
    const picture = String((await get(uploadPicture, owner, image)).id);
    await get(editAvatar, owner, { userimg: picture });

    const added = await get(addPayee, owner, { ...CARD, paypass: DEMO_CUSTOMER.paypass });
    const payee = String((added.card as { id: string }).id);
    const deposit = String((await get(submitDeposit, owner, { channel: 'bank', amount: '500' })).id);
    const outgoing = { channel: 'bank', amount: '20' };
    const quote = String((await get(quoteWithdrawal, owner, { ...outgoing, target: payee })).quote);
    const asking = { ...outgoing, target: payee, paypass: DEMO_CUSTOMER.paypass };
    const withdrawal = String((await get(requestWithdrawal, owner, asking)).id);

    for (const product of ['7', '30']) await get(subscribeEarning, owner, { type: 'regular', product, amount: '100' });
    for (const amount of ['10', '20']) await get(subscribeEarning, owner, { amount });

    const [options, contracts, fills, records, messages, sessions, movements, lockups] = (await Promise.all(
      LISTS.map(([call, fields]) => itemsOf(call, fields)),
    )) as Record<string, string>[][];
    const newest = (items: Record<string, string>[] | undefined): Record<string, string> => {
      if (items === undefined || items.length < 2) throw new Error('the owner has too little');
      return items[0] as Record<string, string>;
    };
    const [option, contract, fill, record, message, movement, lockup] = [
      options,
      contracts,
      fills,
      records,
      messages,
      movements,
      lockups,
    ].map(newest) as [
      Record<string, string>,
      Record<string, string>,
      Record<string, string>,
      Record<string, string>,
      Record<string, string>,
      Record<string, string>,
      Record<string, string>,
    ];
    const renewal = await get(addRenewal, owner, { id: lockup.id ?? '', rate_min: '0' });
    const session = sessions?.find(({ current }) => !current)?.id ?? '';
    const user = await get(readUser, owner);
    secrets = [
      `"${waited.id}"`,
      `"${regular.id}"`,
      `"${renewal.id}"`,
      ...[options, records, messages, sessions, movements, lockups].flatMap(
        (items) => items?.map(({ id = '' }) => id) ?? [],
      ),
      ...(contracts ?? []).map(({ id }) => `"${id}"`),
      ...(records ?? []).flatMap(({ ref }) => ref ?? []),
      ...[owner, picture, payee, user.id, user.username, user.email, user.invite_code, user.nickname].map(String),
    ];
    const ms = (item: Record<string, string>, field: string): string => String(Date.parse(item[field] ?? ''));
    const named = (theirs: string | undefined, nobodys: string): Named => ({ theirs: theirs ?? '', nobodys });
    const optionId = named(option.id, UUID);
    const contractId = named(String(resting.id), 'DOGE-999999');
    const orderOfFill = named(fill.order, 'DOGE-999999');
    const recurringId = named(String(regular.id), UUID);
    const standingId = named(String(renewal.id), UUID);
    const waitingId = named(String(waited.id), 'DOGE-999999');
    pictureId = named(picture, 'A'.repeat(22));
    const said = randomUUID();
    await get(sendSupport, owner, { id: said, text: 'Where is my deposit?' });
    await get(fundDemo, owner, { asset: 'POINTS', amount: '5' });
    // A demo offers its boxes after it has started, and their sale begins a second later.
    const box = await vi.waitFor(
      async () => {
        const { lists: boxes } = await get(listBoxes, '');
        const offered = (boxes as { id: string; price: string; state: string }[]).find(({ price }) => price === '5');
        if (offered?.state !== 'open') throw new Error('the boxes are not open yet');
        return offered.id;
      },
      { timeout: 120_000 },
    );
    const drawn = await get(drawBox, owner, { id: box });
    const drawId = named(String(drawn.id), UUID);
    const alert = await get(addAlert, owner, { code: 'BTC', side: 'above', price: '9000000', mode: 'once' });
    const alertId = named((alert.items as unknown as { id: string }[])[0]?.id, UUID);
    await get(setOwnLimit, owner, { kind: 'time_day', value: '600' });
    const looser = await get(setOwnLimit, owner, { kind: 'time_day', value: '900' });
    const waiting = (looser.limits as unknown as { pending: { id: string } | null }[]).find(({ pending }) => pending);
    const limitId = named(waiting?.pending?.id, UUID);
    const { paypass } = DEMO_CUSTOMER;
    const passkey = createTestPasskey({ origin: 'http://localhost:0' });
    const started = await get(startOwnPasskey, owner, { paypass });
    const credential = passkey.register(String(started.options));
    await get(finishOwnPasskey, owner, { id: String(started.id), credential, name: 'My phone' });
    const step = await get(startProof, owner, { operation: 'withdrawal', subject: 'q' });
    const adding = await get(startProof, owner, { operation: 'passkey_add', subject: 'own' });
    const proven = { id: String(adding.id), credential: passkey.sign(String(adding.options)) };
    const { proof } = await get(finishProof, owner, proven);
    const another = await get(startOwnPasskey, owner, { paypass, otp: String(proof) });
    // The proof of the passkey above was spent, so the key takes one of its own.
    const keyStep = await get(startProof, owner, { operation: 'api_key', subject: 'own' });
    const keyProven = { id: String(keyStep.id), credential: passkey.sign(String(keyStep.options)) };
    const { proof: keyProof } = await get(finishProof, owner, keyProven);
    const bot = { name: 'my bot', scopes: 'read,trade', paypass, otp: String(keyProof) };
    const apiKey = String(((await get(addApiKey, owner, bot)).key as unknown as { id: string }).id);
    signInId = named((await itemsOf(listSignIns))[0]?.id, '0');
    payeeId = named(payee, 'A'.repeat(22));
    const recordId = named(record.id, 'A'.repeat(22));
    const messageId = named(message.id, 'A'.repeat(16));
    const code = 'ETH';
    const email = 'anan@demo.example';

    asked = {
      // Calls that name something by id.
      readOption: { id: optionId },
      disputeOption: { id: optionId, reason: 'mine now' },
      voidOption: { id: optionId },
      sellOption: { id: optionId, price: '1', tick: '1' },
      readOptionBid: { id: optionId },
      listOwnCorrections: {},
      openMoneyDispute: { kind: 'deposit', id: named(deposit, UUID), reason: 'mine now' },
      listOwnMoneyDisputes: {},
      listOptions: {
        status: 'holding',
        page: named(
          `${ms(option, 'start_time')}.${option.id}`,
          `${ms(option, 'start_time')}.${option.id?.replace(/[0-9]/g, '7')}`,
        ),
      },
      readContract: { id: contractId },
      // One open order and one that has ended.
      revokeContract: [{ id: contractId }, { id: orderOfFill }],
      amendContract: [
        { id: contractId, quantity: '50' },
        { id: orderOfFill, quantity: '50' },
      ],
      readStanding: { id: standingId },
      listStandingRuns: { id: standingId },
      revokeStanding: { id: standingId },
      addRenewal: { id: named(lockup.id, UUID), rate_min: '0' },
      readRecurring: { id: recurringId },
      listRecurringExecutions: { id: recurringId },
      switchRecurring: { id: recurringId, on: '0' },
      revokeRecurring: { id: recurringId },
      readWaiting: { id: waitingId },
      amendWaiting: { id: waitingId, quantity: '50' },
      revokeWaiting: { id: waitingId },
      listWaiting: {
        status: 'all',
        page: named(
          `${ms(waited as never, 'created_at')}-${waited.id}`,
          `${ms(waited as never, 'created_at')}-DOGE-999999`,
        ),
      },
      listContracts: {
        status: 'all',
        page: named(`${ms(contract, 'created_at')}-${contract.id}`, `${ms(contract, 'created_at')}-DOGE-999999`),
      },
      listFills: [
        { order: orderOfFill },
        { page: named(`${ms(fill, 'at')}-${fill.id}`, `${ms(fill, 'at')}-DOGE-999999`) },
      ],
      listAccountRecords: [
        { setup: 'all', id: recordId },
        // A cursor in somebody else's list that is newer than all of the stranger's rows, so their own list starts at
        // its beginning.
        { setup: 'all', page: named(record.id, '0') },
      ],
      listMessages: { status: 'all', page: messageId },
      submitDeposit: [
        { channel: 'testnet', hash: '7'.repeat(64) },
        { channel: 'bank', id: named(deposit, UUID), slip: named(picture, 'A'.repeat(22)) },
      ],
      sendTestDeposit: { channel: 'bank', id: named(deposit, UUID) },
      nameReturnWallet: { id: named(deposit, UUID), target: payeeId, paypass: STRANGER_PAYPASS },
      quoteWithdrawal: { ...outgoing, target: payeeId },
      requestWithdrawal: { ...outgoing, target: payeeId, quote: named(quote, UUID), paypass: STRANGER_PAYPASS },
      cancelWithdrawal: { id: named(withdrawal, UUID) },
      answerWithdrawal: { id: named(withdrawal, UUID), text: 'mine now' },
      listSignIns: { page: signInId },
      markMessagesRead: { ids: messageId },
      endSession: { id: named(session, UUID) },
      removeDeviceKey: { id: named(phone.id, 'ab'.repeat(16)) },
      removeApiKey: { id: named(apiKey, 'A'.repeat(22)) },
      listOrderMarks: { ids: optionId },
      renamePayee: { id: payeeId, name: 'mine now' },
      quotePayeeRemoval: { id: payeeId },
      removePayee: { id: payeeId, paypass: STRANGER_PAYPASS },
      listEarningOrders: [{ id: named(movement.id, UUID) }, { type: 'regular', id: named(lockup.id, UUID) }],
      readIncome: { type: 'regular', id: named(lockup.id, UUID), day: '2026-11-22' },
      readPicture: { id: pictureId },
      editAvatar: { userimg: pictureId },
      sendSupport: { id: named(said, UUID), text: 'mine now', image: pictureId },
      // Another customer's receipt is refused by name, which `kept.test.ts` tests.
      handInKept: { texts: '[]' },
      seedDraw: { id: drawId, client_seed: 'a'.repeat(64) },
      listDraws: [
        { id: drawId },
        { page: named(`${'9'.repeat(13)}.${String(drawn.id)}`, `${'9'.repeat(13)}.${UUID}`) },
      ],
      switchAlert: { id: alertId, on: '0' },
      removeAlert: { id: alertId },
      cancelOwnLimit: { id: limitId },
      // Calls about the calling customer.
      readPush: {},
      // The key is no point of the curve, so nothing is sent to that push service.
      subscribePush: { endpoint: 'https://fcm.googleapis.com/x', p256dh: 'A'.repeat(87), auth: 'A'.repeat(22) },
      switchPush: { prices: '1', money: '1', answers: '1' },
      stopPush: {},
      listRecurring: {},
      listStanding: {},
      listAlerts: {},
      addAlert: { code: 'BTC', side: 'above', price: '9000000', mode: 'once' },
      readSafeguards: {},
      setOwnLimit: { kind: 'stake_day', value: '1' },
      setRealityCheck: { minutes: '30' },
      countMinute: {},
      answerRealityCheck: {},
      // A break of the stranger would refuse the calls that follow.
      takeBreak: {},
      excludeMyself: {},
      readStatus: {},
      readCustody: {},
      readFigures: {},
      listFame: {},
      signInDaily: {},
      listBoxes: {},
      readBoxFile: { id: box },
      drawBox: { id: box },
      readUser: {},
      listDailyTotals: {},
      readStatementHead: {},
      readOwnLiability: {},
      listLiabilities: {},
      readLoggedHeads: {},
      reportCheckpoint: { note: `log.example/a\n1\n${'A'.repeat(43)}=\n\n— log.example/a AAAA\n` },
      listAccountEntries: { account: 'spot', asset: 'USDT', from: '1' },
      listPayees: {},
      readCertification: {},
      readSecondFactor: {},
      startSecondFactor: { paypass: '000000' },
      confirmSecondFactor: { otp: '000000' },
      stopSecondFactor: { otp: '000000', paypass: '000000' },
      renewRecoveryCodes: { otp: '000000' },
      startProof: { operation: 'withdrawal', subject: 'q' },
      startOwnPasskey: { paypass: '000000' },
      freezeAccount: { paypass: '000000' },
      readAntiPhishing: {},
      setAntiPhishing: { word: 'river boat', paypass: '000000' },
      // Without the owner's password, session or word, no reset begins or ends.
      askFactorReset: { username: DEMO_CUSTOMER.username, password: 'Mekong77x' },
      stopFactorReset: {},
      stopFactorResetByWord: { username: DEMO_CUSTOMER.username, word: 'river boat' },
      // A visitor who types the owner's contact writes into no conversation of the owner.
      writeAsVisitor: { id: UUID, contact: email, text: 'It is me.' },
      startPasskeySignIn: {},
      finishPasskeySignIn: { id: UUID, credential: '{}' },
      finishProof: { id: named(step.id as string, UUID), otp: '000000' },
      finishOwnPasskey: { id: named(another.id as string, UUID), credential: '{}', name: 'mine' },
      removeOwnPasskey: { passkey: named(passkey.id, 'A'.repeat(43)), paypass: '000000' },
      readSupport: {},
      listInvites: {},
      listOwnDisputes: {},
      markSupportRead: { number: '1' },
      typeSupport: {},
      listLevels: {},
      readLevel: {},
      certifyCustomer: { level: 'advanced' },
      addPayee: { ...CARD, paypass: '000000' },
      listSessions: {},
      listDeviceKeys: {},
      addDeviceKey: { public_key: createTestDevice().publicKey },
      listOrdered: {},
      listApiKeys: {},
      addApiKey: { name: 'mine', scopes: 'read', paypass: '000000' },
      listUnreadMessages: {},
      readBalance: { code },
      listBalances: {},
      readOptionTotals: {},
      readEarningBalance: {},
      quoteSubscription: { amount: '10' },
      subscribeEarning: { amount: '10' },
      quoteRedemption: { amount: '1', speed: 'quick' },
      redeemLiquidity: { amount: '1', speed: 'normal', paypass: '830274' },
      fundDemo: { asset: code, amount: '1' },
      buyOption: { code, direction: 'up', quantity: '1', duration: '30' },
      placeContract: { code, side: 'sell', type: 'limit', price: '90000', quantity: '0.1' },
      addRecurring: { code, amount: '10', every: 'day', hour: '3' },
      addFromDeposits: { type: 'liquidity', amount_min: '10', amount_max: '20' },
      placeWaiting: { code, side: 'sell', type: 'market', trigger: 'stop', trigger_price: '1', quantity: '0.1' },
      placePair: { code, side: 'sell', quantity: '0.1', price: '90000', trigger_price: '1' },
      revokeContracts: {},
      uploadPicture: {},
      editUser: { nickname: 'somebody' },
      changePassword: { old: 'wrong', password: 'Mekong77x', confirm: 'Mekong77x' },
      changePaymentPassword: { old: '830274', password: '618394', confirm: '618394' },
      // Calls without a session.
      checkRegistration: { mode: 'email', email, code: '000000' },
      registerCustomer: {
        mode: 'email',
        email,
        code: '000000',
        password: 'Mekong77x',
        paypass: '618394',
        username: DEMO_CUSTOMER.username,
        currency: 'BAHT',
        agree: 'true',
      },
      loginCustomer: { username: DEMO_CUSTOMER.username, password: 'Mekong77x' },
      forgetPassword: {
        mode: 'email',
        email: String(user.email),
        code: '000000',
        password: 'Mekong77x',
        confirm: 'Mekong77x',
      },
      sendSmsCode: { userphone: '0812345678', must: 'register' },
      sendEmailCode: { email, must: 'forget' },
      // Anybody who knows the address can read its messages, because this is a demo.
      readOutbox: { to: email },
      listEarningProducts: {},
      listOfferChanges: {},
      listPublicPauses: {},
      readConsent: { product: 'options' },
      giveConsent: {
        product: 'options',
        version: '2',
        knowledge: 'a',
        experience: 'a',
        need: 'a',
        share: 'a',
        agree: 'true',
      },
      readEarningRules: {},
      listCoins: {},
      readQuote: { code },
      listCandles: { code, interval: '1m' },
      readContractTerms: { code },
      readBook: { code: 'DOGE' },
      listTrades: { code },
      listMarkets: {},
      listMarketTickers: {},
      readMarketBook: { ticker_id: `${code}_USDT` },
      listMarketTrades: { ticker_id: `${code}_USDT` },
      listMarketCandles: { ticker_id: `${code}_USDT`, interval: '1m' },
      readMarketMaker: {},
      readProofKeys: {},
      listRestorations: {},
      readProofTicks: { code, from: '1' },
      readConfig: { act: 'share' },
      readRules: { of: 'options' },
      listSlides: { position: 'home' },
      listActivities: {},
      readActivity: { id: 'A'.repeat(16) },
      readPageText: { of: 'about' },
      listWins: {},
      listRates: {},
      // The console's sign-in with a customer's name and password.
      loginOperator: { username: DEMO_CUSTOMER.username, password: DEMO_CUSTOMER.password, code: '000000' },
      startEnrolment: { username: DEMO_CUSTOMER.username, secret: 'nothing' },
      finishEnrolment: {
        username: DEMO_CUSTOMER.username,
        secret: 'nothing',
        password: 'Mekong-77-river',
        code: '000000',
      },
      startPasskeyLogin: {},
      finishPasskeyLogin: { challenge: UUID, credential: '{}' },
      listDemoOperators: {},
      listStaffActions: {},
      // Forged tickets are in practice.test.ts.
      askPractice: {},
      enterPractice: { ticket: 'practice/1' },
      listDepositChannels: {},
      listWithdrawalRates: {},
      logoutCustomer: {},
    };
  });
  afterAll(async () => {
    await platform.close();
    expect(platform.faults).toEqual([]);
  });

  it('gets the same answer for somebody else’s data as for data that does not exist, from every call', async () => {
    // Each new call needs a row here that shows the effect of a stranger's id. Operators' calls, and customers' tokens
    // in them, are tested with the operators.
    const others = Object.entries(CALLS).filter(([, { who }]) => who !== 'operator');
    expect(others.map(([name]) => name).filter((name) => !(name in asked))).toEqual([]);
    expect(Object.keys(asked).filter((name) => !(name in CALLS))).toEqual([]);
    const before = await readAll();
    const naming: { call: Call; row: Row; answer: Envelope }[] = [];
    for (const [name, rows] of Object.entries(asked)) {
      const call = CALLS[name] as Call;
      const token = call.who === 'customer' ? stranger : '';
      const named = [rows].flat().map((row) => Object.keys(row).filter((field) => typeof row[field] === 'object'));
      expect([...new Set(named.flat())].sort(), name).toEqual(namingFields(call).sort());
      for (const row of [rows].flat()) {
        const theirs = await ask(call, token, call.takesFile ? new FormData() : formOf(row, 'theirs'));
        expect(theirs.status, name).toBe(200);
        const text = JSON.stringify(theirs.answer);
        expect(
          secrets.filter((secret) => text.includes(secret)),
          name,
        ).toEqual([]);
        if (!Object.values(row).some((value) => typeof value === 'object')) continue;
        expect(await ask(call, token, formOf(row, 'nobodys')), name).toEqual(theirs);
        naming.push({ call, row, answer: theirs.answer });
      }
    }
    expect(await readAll()).toEqual(before);

    // The owner gets another answer, which proves that the stranger's id exists.
    for (const { call, row, answer } of naming)
      expect((await ask(call, owner, formOf(row, 'theirs'))).answer, call.path).not.toEqual(answer);
  });
});
