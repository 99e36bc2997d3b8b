import { environmentOf, systemClock } from '@causeway/core'
import type { ChainAdapter, ChainConfig, RpcEndpoint } from '@causeway/core/chain'
import { type ConformanceHarness, hostileNodes, reorganise } from '@causeway/core/testing'
import { ledgerAdapter } from '../adapter.js'
import { addressOf, NATIVE } from '../address.js'
import type { LedgerTransfer } from '../transaction.js'
import { startLocalLedger } from './localLedger.js'
import { freshAddress, LedgerWallet } from './wallet.js'

const TOKEN = addressOf('70'.repeat(20))
const STRANGE = addressOf('57'.repeat(20))
const AMOUNT = 1_000n
const PLENTY = 1_000_000_000n
const SETTLE = 3

/** Enough of a log for tests: it says nothing. */
const SILENT = { info: () => undefined, warn: () => undefined, error: () => undefined, debug: () => undefined }

/** A local ledger with everything the conformance kit needs, and how to end it. `create` makes the adapters that rules ask for. */
export const startLedgerHarness = async (
  create: (...given: Parameters<typeof ledgerAdapter>) => ChainAdapter = ledgerAdapter,
): Promise<{
  readonly harness: ConformanceHarness
  close(): Promise<void>
}> => {
  const ledger = await startLocalLedger()
  const { engine } = ledger
  const [user, solver] = [new LedgerWallet(engine), new LedgerWallet(engine)]
  for (const currency of [NATIVE, TOKEN, STRANGE]) engine.fund(user.address, PLENTY, currency)
  for (const currency of [NATIVE, TOKEN]) engine.fund(solver.address, PLENTY, currency)
  const depository = freshAddress()
  const closed = freshAddress()
  engine.shut(closed)
  const adapterOver = (rpc: readonly RpcEndpoint[], rangeBlocks = 500, make = create): ChainAdapter =>
    make(
      { network: 'local', depository, pollIntervalMs: 25, rpcTimeoutMs: 2_500, rangeBlocks },
      // CAST: of pino's logger only these four are used.
      {
        config: configOf(rpc, solver.address),
        clock: systemClock,
        logger: SILENT as never,
        environment: environmentOf({}),
      },
    )
  const rpc = [{ ...ledger.endpoint, provider: 'local' }]
  const other = () => startLocalLedger({ network: 'another' })
  const { hostile, forget } = hostileNodes(ledger, { other, finalDepth: SETTLE })
  const adapter = adapterOver(rpc, undefined, ledgerAdapter)
  await adapter.start(new AbortController().signal)
  const harness: ConformanceHarness = {
    versions: { adapter: 'causeway-chain-example 1.0.0', localChain: 'local ledger 1.0.0' },
    adapter,
    rpc,
    createAdapter: (over) => adapterOver(over),
    smallPages: (over) => adapterOver(over, 2),
    signer: solver.signer,
    allocator: null,
    user: {
      address: user.address,
      // CAST: what buildDeposit gives.
      send: async (data) => user.send(data as unknown as LedgerTransfer),
      sendFailing: async (data) =>
        // CAST: as above.
        user.send({ ...(data as unknown as LedgerTransfer), amount: (PLENTY * 2n).toString() }),
      // CAST: as above.
      sendTagged: async (data, _item, tag) => user.send({ ...(data as unknown as LedgerTransfer), fromTag: tag }),
    },
    currencies: [NATIVE, TOKEN],
    nativeDecimals: 6,
    amount: AMOUNT,
    // As on a chain that must open an account first.
    freshAddress: async () => freshAddress(),
    addresses: addressTable(),
    feeErrorPercent: { deposit: 0, payout: 0 },
    finalDepth: SETTLE,
    height: async () => engine.head.height,
    advance: async (blocks) => engine.advance(blocks),
    reorg: async (depth) => reorganise(engine, depth),
    expire: async () => engine.advance(21),
    strangeToken: async () => STRANGE,
    lookAlikes: lookAlikes(user, depository),
    impossibleRecipients: async () => [
      { what: 'a closed account', address: closed, currency: NATIVE },
      { what: 'the depository', address: depository, currency: TOKEN },
    ],
    hostile,
    forget,
  }
  return {
    harness,
    close: async () => {
      await adapter.stop()
      await ledger.close()
    },
  }
}

const configOf = (rpc: readonly RpcEndpoint[], solver: string): ChainConfig => ({
  id: 770_001,
  slug: 'local-ledger',
  name: 'Local ledger',
  package: 'causeway-chain-example',
  rpc,
  currencies: [],
  confirmations: { fill: 1, success: 1, settle: SETTLE, settleSeconds: 0 },
  solver,
  enabled: true,
  options: {},
})

const addressTable = (): ConformanceHarness['addresses'] => {
  const address = freshAddress()
  const last = address.endsWith('0') ? '1' : '0'
  return {
    valid: [
      { text: address, canonical: address },
      { text: NATIVE, canonical: NATIVE },
    ],
    invalid: [
      { text: '0xd8da6bf26964af9d7eed9e03e53415d37aa96045', problem: 'foreign-network' },
      { text: 'So11111111111111111111111111111111111111112', problem: 'foreign-network' },
      { text: `${address.slice(0, -1)}${last}`, problem: 'bad-checksum' },
      { text: address.slice(0, -1), problem: 'malformed' },
      { text: `${address}0`, problem: 'malformed' },
    ],
  }
}

const lookAlikes = (user: LedgerWallet, depository: string): NonNullable<ConformanceHarness['lookAlikes']> => {
  const draft = { to: depository, currency: TOKEN, amount: '7' }
  return [
    {
      what: 'a transfer to somebody else that names an order',
      make: async (orderId) => user.send({ ...draft, to: freshAddress(), memo: orderId }),
      arrived: null,
    },
    {
      what: 'a transfer whose memo only contains an order id',
      make: async (orderId) => user.send({ ...draft, memo: `for ${orderId}` }),
      arrived: { currency: TOKEN, amount: 7n },
    },
  ]
}
