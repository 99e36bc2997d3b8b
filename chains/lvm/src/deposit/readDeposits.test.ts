import { describe, expect, it } from 'vitest'
import { gainOf, isExpired, readTransaction } from '../read/transactions.js'
import type { TransactionJson } from '../rpc/transactions.js'
import { DepositSource } from './depositSource.js'
import { readDeposits } from './readDeposits.js'

const HASH = 'ab'.repeat(40)
const DEPOSITORY = '462196'
const ORDER = `0x${'07'.repeat(32)}`

interface Info {
  readonly [name: string]: string
}

/** Fields as a recorded transfer has them (openapi and the attestation's tests). */
const INFO: Info = {
  ...{ FromAccountIndex: '460491', ApiKeyIndex: '4', ToAccountIndex: DEPOSITORY, AssetIndex: '3', FromRouteType: '0' },
  ...{ ToRouteType: '0', Amount: '1000000', USDCFee: '3000000', ExpiredAt: '1763299591909', Nonce: '1', Sig: '".."' },
  ...{ L1Sig: '"0x.."', Memo: `[${Array(32).fill(7).join()}]` },
}

/** A transaction as the exchange writes it: `info` is JSON text with whole numbers. */
const shown = (info: Partial<Info> = {}, changes: Partial<TransactionJson> = {}): TransactionJson => {
  const fields = Object.entries({ ...INFO, ...info }).map(([name, value]) => `"${name}":${value}`)
  return {
    ...{ hash: HASH, type: '12', info: `{${fields.join()}}`, status: '3', account_index: '460491', nonce: '1' },
    ...{ expire_at: '1763299591909', block_height: '97526892', queued_at: '1763298993375', ...changes },
  }
}

const depositsOf = (...given: Parameters<typeof shown>) => readDeposits(readTransaction(shown(...given)), DEPOSITORY)

describe('a transfer to the depository', () => {
  it('is a deposit of what arrived', () => {
    expect(depositsOf()).toMatchObject([
      {
        ...{ orderId: ORDER, depositor: '460491', money: { currency: '0', amount: 1_000_000n }, fee: 3_000_000n },
        block: { height: 97_526_892n, time: 1_763_298_993 },
      },
    ])
  })

  it('above 2^53 is credited to the last unit', () => {
    expect(depositsOf({ Amount: '1152921504606846975' })).toMatchObject([
      { money: { amount: 1_152_921_504_606_846_975n } },
    ])
  })

  it('is of the currency of its asset and of the route that it arrived by', () => {
    const currencies = [
      [{ AssetIndex: '3', ToRouteType: '1' }, '3', ORDER],
      [{ AssetIndex: '1', ToRouteType: '1' }, '1', ORDER],
      [{ AssetIndex: '1', ToRouteType: '0' }, '1', null],
    ] as const
    for (const [info, currency, orderId] of currencies)
      expect(depositsOf(info)).toMatchObject([{ money: { currency }, orderId }])
  })

  it.each(['0', '1', '4', '5', '9'])('with status %s is none', (status) => {
    expect(depositsOf({}, { status })).toEqual([])
  })

  it('from the depository itself, of no amount, of another type or to another account is none', () => {
    const own = { FromAccountIndex: DEPOSITORY }
    expect(depositsOf(own, { account_index: DEPOSITORY })).toEqual([])
    expect(depositsOf({ Amount: '0' })).toEqual([])
    expect(depositsOf({}, { type: '14', info: 'no JSON at all' })).toEqual([])
    expect(depositsOf({ ToAccountIndex: '7' })).toEqual([])
  })

  it('in no block is none, whatever its status', () => {
    expect(depositsOf({}, { block_height: '0' })).toEqual([])
  })
})

it('an answer that contradicts itself, or is of another shape, is the failure of its node', () => {
  const strange = [
    shown({ FromAccountIndex: '1' }),
    shown({ Nonce: '2' }),
    shown({ Amount: '1.5' }),
    shown({ Amount: '-1' }),
    shown({ Memo: '[1,2]' }),
    shown({}, { info: '{' }),
  ]
  for (const json of strange)
    expect(() => readTransaction(json)).toThrow(expect.objectContaining({ code: 'RPC_HTTP_ERROR' }))
})

it('a pending transaction has expired 60 seconds after its expiry, another one never', () => {
  const pending = readTransaction(shown({}, { status: '1' }))
  expect([isExpired(pending, 1_763_299_651), isExpired(pending, 1_763_299_652)]).toEqual([false, true])
  expect(isExpired(readTransaction(shown()), 2_000_000_000)).toBe(false)
})

it('a balance changes by amount and fee, of a transfer that succeeded alone', () => {
  const spot = readTransaction(shown({ AssetIndex: '1', FromRouteType: '1', ToRouteType: '1' }))
  const gains = [
    [{ address: DEPOSITORY, currency: '1' }, 1_000_000n],
    [{ address: '460491', currency: '1' }, -1_000_000n],
    [{ address: '460491', currency: '0' }, -3_000_000n],
    [{ address: '7', currency: '1' }, 0n],
  ] as const
  for (const [account, gain] of gains) expect(gainOf(spot, account)).toBe(gain)
  expect(gainOf(readTransaction(shown({}, { status: '4' })), { address: DEPOSITORY, currency: '0' })).toBe(0n)
})

describe('a range of the depository', () => {
  const tokens = { using: <T>(_: string, ask: (token: string) => Promise<T>) => ask('token') }

  /** A node that answers pages of one transaction each, newest first, without a cursor. */
  const nodeOf = (...rows: readonly TransactionJson[]) => {
    const asked: Record<string, unknown>[] = []
    const answers: Readonly<Record<string, (query: Readonly<Record<string, string>>) => unknown>> = {
      '/api/v1/accountTxs': ({ index = '0' }) => ({ txs: rows.slice(Number(index), Number(index) + 1) }),
      '/api/v1/block': ({ value }) => ({
        blocks: [{ height: Number(value), state_root: 'aa', commitment: '', committed_at: 5, txs: [] }],
      }),
    }
    const client = {
      getAnswer: async (path: string, _: unknown, { query }: { query: Record<string, string> }) => {
        asked.push({ path, ...query })
        return { status: 200, text: JSON.stringify(answers[path]?.(query)) }
      },
    }
    // CAST: the one member of a node that is asked.
    const node = { ask: (use: (rest: typeof client) => unknown) => use(client) } as unknown as Parameters<
      DepositSource['page']
    >[0]
    return { node, asked }
  }

  const row = (height: number, changes: Partial<TransactionJson> = {}) =>
    shown({}, { block_height: String(height), hash: String(height).padStart(80, '0'), ...changes })
  const source = new DepositSource({ depository: DEPOSITORY, tokens })
  const range = { account: DEPOSITORY, after: 5n, upTo: 8n, mark: null }

  it('is read back to its beginning, oldest first and each transfer once', async () => {
    const { node, asked } = nodeOf(row(9), row(8), row(8), row(6), row(5), row(4))
    const { transactions, more, since } = await source.page(node, range)
    expect(transactions.map(({ block }) => block?.height)).toEqual([6n, 8n])
    expect([more, since]).toEqual([null, 6n])
    // The page that reaches beyond the beginning is the last one.
    expect(asked.filter(({ path }) => path === '/api/v1/accountTxs')).toHaveLength(5)
    expect(asked.find(({ path }) => path === '/api/v1/accountTxs')).toMatchObject({ auth: 'token', types: '12' })
  })

  it('with a transfer that is not committed yet is not passed over', async () => {
    const { node } = nodeOf(row(8, { status: '1' }), row(5))
    await expect(source.page(node, range)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
  })
})
