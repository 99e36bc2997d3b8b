import { expect, it } from 'vitest'
import { laneReading } from './accountReading.js'

const HASH = 'ab'.repeat(40)
const ENTRY = { account: '7', owner: '0x', apiKeyIndex: 2, apiKeyVariable: null }
const INFO = {
  ...{ FromAccountIndex: 7, ApiKeyIndex: 2, ToAccountIndex: 8, AssetIndex: 3, FromRouteType: 0, ToRouteType: 0 },
  ...{ Amount: 5, USDCFee: 3, Memo: Array(32).fill(7), ExpiredAt: 1_000_500, Nonce: 4 },
}

const reading = laneReading({
  tokens: { using: (_, ask) => ask('token') },
  keys: { entryOf: (account) => (account === '7' ? ENTRY : null) },
})

interface Shown {
  readonly status: number
  readonly height?: number
  /** The number that the API key takes next, in committed transactions. */
  readonly nonce?: number
  /** Time of the newest block. */
  readonly seconds?: number
  readonly account?: string
  readonly publicKey?: string
}

const read = async ({ status, height = 9, nonce = 5, seconds = 1, account = '7', publicKey = '11' }: Shown) => {
  const block = { height: 20, state_root: 'aa', commitment: '', committed_at: seconds, txs: [] }
  const key = { account_index: 7, api_key_index: 2, nonce, public_key: publicKey }
  const row = {
    hash: HASH,
    type: 12,
    info: JSON.stringify(INFO),
    status,
    account_index: 7,
    nonce: 4,
    expire_at: 1_000_500,
  }
  const answers: Readonly<Record<string, unknown>> = {
    '/api/v1/currentHeight': { code: 200, height: 20 },
    '/api/v1/block': { code: 200, blocks: [block] },
    '/api/v1/apikeys': { code: 200, api_keys: [key] },
    '/api/v1/nextNonce': { code: 200, nonce },
    '/api/v1/tx': { code: 200, ...row, block_height: height, queued_at: 5000 },
  }
  const rest = { getAnswer: async (path: string) => ({ status: 200, text: JSON.stringify(answers[path]) }) }
  // CAST: the one member of a node that is asked.
  const node = { ask: (use: (client: typeof rest) => unknown) => use(rest) } as unknown as Parameters<
    typeof reading.read
  >[0]
  const { transactions, next } = await reading.read(node, { account, attempts: [{ txId: HASH }] })
  return { shown: transactions[0] ?? null, next }
}

it('a transaction that was rejected is shown once its number is used, and never before', async () => {
  for (const status of [4, 5]) {
    expect((await read({ status })).shown).toMatchObject({ sequence: 4n, revert: expect.any(String), fee: 0n })
    expect((await read({ status, nonce: 4 })).shown).toBeNull()
    expect((await read({ status, height: 0 })).shown).toBeNull()
  }
})

it('a pending transaction is shown until 60 seconds after its expiry', async () => {
  expect((await read({ status: 0, height: 0, nonce: 4, seconds: 1060 })).shown).toMatchObject({
    block: null,
    revert: null,
  })
  expect((await read({ status: 0, height: 0, nonce: 4, seconds: 1061 })).shown).toBeNull()
  expect((await read({ status: 3, seconds: 9999 })).shown).toMatchObject({ revert: null, fee: 3n })
})

it('an account without an entry or an API key takes no number', async () => {
  expect((await read({ status: 3 })).next).toEqual({ final: 5n, newest: 5n })
  expect((await read({ status: 3, account: '9' })).next).toBeNull()
  expect((await read({ status: 3, publicKey: '0x00' })).next).toBeNull()
})
