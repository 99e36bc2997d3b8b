import { environmentOf, systemClock } from '@causeway/core'
import { type BlockRef, type ChainConfig, NOTHING_LIVE, type WatchPage } from '@causeway/core/chain'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  NATIVE as COIN,
  freshAddress,
  type LedgerAdapter,
  LedgerWallet,
  type LocalLedger,
  ledgerAdapter,
  startLocalLedger,
} from './testing/index.js'

/** A logger without output. */
const SILENT = { info: () => undefined, warn: () => undefined, error: () => undefined, debug: () => undefined }

/** Longer than a test waits: what comes sooner came without a poll. */
const NEVER_MS = 600_000

const stop = new AbortController()
const depository = freshAddress()
let ledger: LocalLedger
let user: LedgerWallet

beforeAll(async () => {
  ledger = await startLocalLedger()
  user = new LedgerWallet(ledger.engine)
  ledger.engine.fund(user.address, 1_000_000_000n, COIN)
})
afterAll(async () => {
  stop.abort()
  await ledger?.close()
})

const startAdapter = async (pollIntervalMs: number): Promise<LedgerAdapter> => {
  const config: ChainConfig = {
    id: 770_004,
    slug: 'ledger',
    name: 'ledger',
    package: 'causeway-chain-example',
    rpc: [ledger.endpoint],
    currencies: [{ address: COIN, symbol: 'LDG', name: 'Ledger coin', decimals: 6, groupId: 'ldg' }],
    confirmations: { fill: 1, success: 1, settle: 3, settleSeconds: 0 },
    solver: freshAddress(),
    enabled: true,
    limits: { perHour: [] },
    options: {},
  }
  const adapter = ledgerAdapter(
    { network: 'local', depository, pollIntervalMs },
    // CAST: of pino's logger only these four are used.
    { config, clock: systemClock, logger: SILENT as never, environment: environmentOf({}) },
  )
  await adapter.start(stop.signal)
  return adapter
}

test('heads are told as the ledger grows, without a gap of more than a poll', async () => {
  const adapter = await startAdapter(20)
  const seen: BlockRef[] = []
  adapter.onHead((head) => void seen.push(head), stop.signal)
  const { height } = await adapter.tip()
  ledger.engine.advance(3)
  await expect.poll(() => seen.at(-1)?.height).toBe(height + 3n)
  const { hash, time } = ledger.engine.head
  expect(seen.at(-1)).toEqual({ height: height + 3n, hash, time })
  expect(await adapter.tip()).toEqual(seen.at(-1))
})

test('a hint makes a resting watcher read, and an abort ends its rest', async () => {
  const adapter = await startAdapter(NEVER_MS)
  const ending = new AbortController()
  const pages: WatchPage[] = []
  const watching = (async () => {
    for await (const page of adapter.watch(null, NOTHING_LIVE, ending.signal)) pages.push(page)
  })()
  // The first block above where it began; then nothing more is to be read.
  await expect
    .poll(() => {
      ledger.engine.advance(1)
      adapter.poke()
      return pages.length
    })
    .toBeGreaterThan(0)
  const id = user.send({ to: depository, currency: COIN, amount: '5', memo: '' })
  adapter.poke()
  await expect.poll(() => pages.flatMap(({ deposits }) => deposits).map(({ tx }) => tx.id)).toEqual([id])
  ending.abort()
  await watching
})
