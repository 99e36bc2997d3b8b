import * as fc from 'fast-check'
import type { TestDatabase } from '../testing/testDatabase.js'
import type { RecordCondition, RecordField, RecordQuery, RecordSort } from './search/recordQuery.js'

interface Tx {
  readonly purpose: 'deposit' | 'fill' | 'refund'
  readonly txId: string
  readonly chainId: number
  readonly height: number
}

export interface Made {
  readonly n: number
  readonly id: string
  readonly orderId: string | null
  readonly status: string
  readonly origin: number
  readonly destination: number
  readonly user: string
  readonly recipient: string
  readonly depositor: string | null
  readonly depositAddress: string | null
  readonly apiKey: string | null
  readonly referrer: string | null
  readonly symbolIn: string
  readonly symbolOut: string
  readonly currencyIn: string
  readonly currencyOut: string
  readonly requestType: string
  readonly features: readonly string[]
  readonly failReason: string | null
  readonly refundFailReason: string | null
  /** Why it goes back as a child of an earlier request; such a one has a parent. */
  readonly refundReason: string | null
  readonly parent: Made | null
  readonly appFeesUsd: number
  readonly amountUsd: number
  readonly fillSeconds: number | null
  readonly createdAt: number
  readonly updatedAt: number
  readonly txs: readonly Tx[]
}

export const WALLETS = ['0xaa01', '0xaa02', 'TWallet', 'rWallet']
const CHAINS = [1, 10, 137]
const STATUSES = ['waiting', 'pending', 'submitted', 'success', 'failure', 'refund']
const REASONS = ['SLIPPAGE', 'TTL_EXPIRED']
const KEYS = ['key-a', 'key-b']
const TYPES = ['Bridge', 'Call', 'Send']
const FEATURES = ['gas_top_up', 'app_fees']

export const hexOf = (n: number): string => n.toString(16).padStart(64, '0')
const nullable = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: null, freq: 2 })

const tx: fc.Arbitrary<Tx> = fc.record({
  purpose: fc.constantFrom('deposit' as const, 'fill' as const, 'refund' as const),
  txId: fc.integer({ min: 1, max: 12 }).map((n) => `0xff${n}`),
  chainId: fc.constantFrom(...CHAINS),
  height: fc.integer({ min: 1, max: 30 }),
})

export const request: fc.Arbitrary<Omit<Made, 'n' | 'id' | 'orderId' | 'parent'>> = fc.record({
  status: fc.constantFrom(...STATUSES),
  origin: fc.constantFrom(...CHAINS),
  destination: fc.constantFrom(...CHAINS),
  user: fc.constantFrom(...WALLETS),
  recipient: fc.constantFrom(...WALLETS),
  depositor: nullable(fc.constantFrom(...WALLETS)),
  depositAddress: nullable(fc.constantFrom('0xdd01', '0xdd02')),
  apiKey: nullable(fc.constantFrom(...KEYS)),
  referrer: nullable(fc.constantFrom('app', 'other %_\\')),
  symbolIn: fc.constantFrom('usdc', 'eth', 'Ξth', ''),
  symbolOut: fc.constantFrom('usdc', 'eth'),
  currencyIn: fc.constantFrom('0xc0', '0xc1'),
  currencyOut: fc.constantFrom('0xc0', '0xc1'),
  requestType: fc.constantFrom(...TYPES),
  features: fc.subarray(FEATURES),
  failReason: nullable(fc.constantFrom(...REASONS)),
  refundFailReason: nullable(fc.constantFrom(...REASONS)),
  refundReason: nullable(fc.constant('DUPLICATE')),
  appFeesUsd: fc.integer({ min: 0, max: 3 }),
  amountUsd: fc.integer({ min: 0, max: 5 }),
  fillSeconds: nullable(fc.integer({ min: 0, max: 9 })),
  createdAt: fc.integer({ min: 100, max: 120 }),
  updatedAt: fc.integer({ min: 100, max: 120 }),
  txs: fc.uniqueArray(tx, { maxLength: 3, selector: (one) => `${one.purpose}${one.txId}${one.chainId}` }),
})

const FIELDS: Readonly<Record<string, readonly string[]>> = {
  id: [1, 2, 3, 50, 9999].map((n) => `0x${hexOf(n)}`),
  orderId: [1, 2, 3].map((n) => `0x${hexOf(n + 100_000)}`),
  depositTxHash: ['0xff1', '0xFF2', '0xff3'],
  fillTxHash: ['0xff1', '0xff2'],
  refundTxHash: ['0xff1', '0xff2'],
  hash: ['0xff1', '0xff5', 'none'],
  term: ['0xff1', '0xAA01', 'TWallet', '0xdd01', `0x${hexOf(7)}`],
  user: [...WALLETS, 'nobody'],
  wallet: WALLETS,
  recipient: [...WALLETS, '0xAA02'],
  depositAddress: ['0xdd01', '0xDD02'],
  originChainId: ['1', '10', '5', 'x'],
  destinationChainId: ['1', '137'],
  chainId: ['1', '10'],
  currencyInChainId: ['1', '10', '01'],
  currencyOutChainId: ['1', '137'],
  currencyOutAddress: ['0xC0'],
  currencyInSymbol: ['USDC', 'eth', 'ΞTH'],
  currencyOutSymbol: ['usdc'],
  currencyInAddress: ['0xC0', '0xc1'],
  status: STATUSES,
  failReason: REASONS,
  refundFailReason: REASONS,
  requestType: ['bridge', 'Call'],
  apiKey: [...KEYS, 'key-c'],
  referrer: ['app', 'other %_\\', 'none'],
}

const condition: fc.Arbitrary<RecordCondition> = fc.constantFrom(...Object.keys(FIELDS)).chain((field) =>
  fc.record({
    // CAST: the keys above are fields.
    field: fc.constant(field as RecordField),
    not: fc.boolean(),
    values: fc.oneof(
      {
        weight: 4,
        arbitrary: fc.uniqueArray(fc.constantFrom(...(FIELDS[field] ?? [])), { minLength: 1, maxLength: 3 }),
      },
      { weight: 1, arbitrary: fc.constant(null) },
    ),
  }),
)

const range = (max: number) =>
  fc.record({ from: fc.integer({ min: 0, max }), to: fc.integer({ min: 0, max }) }, { requiredKeys: [] })

export const query: fc.Arbitrary<RecordQuery> = fc.record(
  {
    conditions: fc.array(condition, { maxLength: 3 }),
    groups: fc.array(fc.array(condition, { maxLength: 2 }), { maxLength: 3 }),
    ranges: fc.record(
      {
        time: range(120),
        block: range(30),
        originBlocks: fc.boolean(),
        amountUsd: range(5),
        appFeesUsd: range(3),
        fillTime: range(9),
      },
      { requiredKeys: [] },
    ),
    features: fc.subarray(FEATURES, { minLength: 1 }),
    hiddenChains: fc.subarray(CHAINS, { maxLength: 1 }),
    children: fc.boolean(),
    sort: fc.constantFrom<RecordSort>('createdAt', 'updatedAt', 'amountUsd'),
    descending: fc.boolean(),
    limit: fc.integer({ min: 1, max: 7 }),
    after: fc.constant(null),
  },
  {
    requiredKeys: [
      'conditions',
      'groups',
      'ranges',
      'hiddenChains',
      'children',
      'sort',
      'descending',
      'limit',
      'after',
    ],
  },
)

const fold = (word: string): string => (/^0x/i.test(word) ? word.toLowerCase() : word)
const hashes = (made: Made, purpose?: string) =>
  made.txs.filter((one) => purpose === undefined || one.purpose === purpose).map(({ txId }) => txId)

/** What a field of a request is equal to; an empty list is an empty field. Written apart from the SQL, to judge it. */
const valuesOf = (made: Made, field: RecordField): readonly (string | null)[] => {
  const all: Partial<Record<RecordField, readonly (string | null)[]>> = {
    id: [made.id],
    orderId: [made.orderId],
    depositTxHash: hashes(made, 'deposit'),
    fillTxHash: hashes(made, 'fill'),
    refundTxHash: hashes(made, 'refund'),
    hash: hashes(made),
    term: [made.id, made.orderId, made.user, made.recipient, made.depositor, made.depositAddress, ...hashes(made)],
    user: [made.user, made.depositor],
    wallet: [made.user, made.recipient],
    recipient: [made.recipient],
    depositAddress: [made.depositAddress],
    originChainId: [String(made.origin)],
    destinationChainId: [String(made.destination)],
    chainId: [String(made.origin), String(made.destination)],
    currencyInChainId: [String(made.origin)],
    currencyOutChainId: [String(made.destination)],
    currencyOutAddress: [made.currencyOut],
    currencyInSymbol: [made.symbolIn],
    currencyOutSymbol: [made.symbolOut],
    currencyInAddress: [made.currencyIn],
    status: [made.status],
    failReason: [made.failReason],
    refundFailReason: [made.refundFailReason],
    requestType: [made.requestType.toLowerCase()],
    apiKey: [made.apiKey],
    referrer: [made.referrer],
  }
  return (all[field] ?? []).filter((value) => value !== null && value !== '')
}

const holds = (made: Made, { field, not, values }: RecordCondition): boolean => {
  const own = valuesOf(made, field)
  const caseless = ['requestType', 'currencyInSymbol', 'currencyOutSymbol'].includes(field)
  // The database folds what its locale knows; that of the tests knows ASCII.
  const lower = (value: string) => value.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
  const wanted = (values ?? []).map((value) => (caseless ? lower(value) : fold(value)))
  const found =
    values === null
      ? own.length === 0
      : own.some((value) => value !== null && wanted.includes(caseless ? lower(value) : value))
  return found !== not
}

/** By id or deposit address a request is found with its children, or without those that only go back. */
const holdsAll = (made: Made, { conditions, children }: RecordQuery): boolean => {
  const identity = conditions.filter(
    ({ field, not, values }) => ['id', 'depositAddress'].includes(field) && !not && values !== null,
  )
  const rest = conditions.filter((one) => !identity.includes(one))
  const named = (one: Made | null) => one !== null && identity.every((condition) => holds(one, condition))
  if (!rest.every((one) => holds(made, one))) return false
  if (children) return named(made) || (identity.length > 0 && named(made.parent))
  const goesBack = made.parent !== null && made.refundReason !== null
  return named(made) && !(goesBack && identity.some(({ field }) => field === 'depositAddress'))
}

const inRange = (value: number | null, bounds: { from?: number; to?: number } | undefined): boolean => {
  if (bounds === undefined || (bounds.from === undefined && bounds.to === undefined)) return true
  return value !== null && value >= (bounds.from ?? -Infinity) && value <= (bounds.to ?? Infinity)
}

const fits = (made: Made, asked: RecordQuery): boolean => {
  const { ranges } = asked
  const blocks = made.txs.filter(
    (one) => ranges.originBlocks !== true || (one.chainId === made.origin && one.purpose === 'deposit'),
  )
  const bounded = ranges.block?.from !== undefined || ranges.block?.to !== undefined
  return (
    !asked.hiddenChains.includes(made.origin) &&
    !asked.hiddenChains.includes(made.destination) &&
    holdsAll(made, asked) &&
    (asked.groups.length === 0 || asked.groups.some((group) => group.every((one) => holds(made, one)))) &&
    (asked.features === undefined || asked.features.some((one) => made.features.includes(one))) &&
    inRange(asked.sort === 'updatedAt' ? made.updatedAt : made.createdAt, ranges.time) &&
    (!bounded || blocks.some(({ height }) => inRange(height, ranges.block))) &&
    inRange(made.amountUsd, ranges.amountUsd) &&
    inRange(made.appFeesUsd, ranges.appFeesUsd) &&
    inRange(made.fillSeconds, ranges.fillTime)
  )
}

export const expected = (all: readonly Made[], asked: RecordQuery): readonly string[] => {
  const key = (made: Made): readonly [number, number] => [made[asked.sort], made.n]
  const sign = asked.descending ? -1 : 1
  return all
    .filter((made) => fits(made, asked))
    .sort((a, b) => sign * (key(a)[0] - key(b)[0] || key(a)[1] - key(b)[1]))
    .map(({ id }) => id)
}

/** Writes a request as the service would have. */
export const insertMade = async ({ pool }: TestDatabase, made: Made): Promise<void> => {
  const finished = ['success', 'failure', 'refund'].includes(made.status)
  await pool.query(
    `insert into requests (id, order_id, status, origin_chain_id, destination_chain_id, origin_currency, destination_currency,
      user_address, recipient, depositor, deposit_address, api_key_id, referrer, symbol_in, symbol_out, currency_in, request_type,
      features, fail_reason, amount_usd, fill_seconds, created_at, updated_at, quoted_at, amount_in, amount_out, terms,
      next_action, next_action_at, currency_out, refund_fail_reason, app_fees_usd, parent_request_id, refund_reason)
     values (decode($1, 'hex'), decode($2, 'hex'), $3, $4, $5, '', '', $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19,
      to_timestamp($20), to_timestamp($21), now(), 1, 1, '{}', $22, case when $22::text is null then null else now() end, $23, $24, $25, decode($26, 'hex'), $27)`,
    [
      made.id.slice(2),
      made.orderId?.slice(2) ?? null,
      made.status,
      made.origin,
      made.destination,
      made.user,
      made.recipient,
      made.depositor,
      made.depositAddress,
      made.apiKey,
      made.referrer,
      made.symbolIn,
      made.symbolOut,
      made.currencyIn,
      made.requestType,
      made.features,
      made.failReason,
      made.amountUsd,
      made.fillSeconds,
      made.createdAt,
      made.updatedAt,
      finished ? null : 'wait',
      made.currencyOut,
      made.refundFailReason,
      made.appFeesUsd,
      made.parent?.id.slice(2) ?? null,
      made.refundReason,
    ],
  )
  for (const { purpose, txId, chainId, height } of made.txs) {
    await pool.query(
      `insert into request_txs (request_id, direction, purpose, chain_id, tx_id, position, block_height, status, created_at)
       values (decode($1, 'hex'), $2, $3, $4, $5, $6, $7, 'success', now())`,
      [
        made.id.slice(2),
        purpose === 'deposit' ? 'in' : 'out',
        purpose,
        chainId,
        txId,
        purpose === 'fill' ? 0 : 1,
        height,
      ],
    )
  }
}
