import { createHash, randomBytes } from 'node:crypto'
import { bytesToHex, environmentOf, systemClock } from '@causeway/core'
import {
  type AttemptState,
  createSecp256k1Signer,
  type DepositAddress,
  type Payout,
  type RpcEndpoint,
} from '@causeway/core/chain'
import type { TestWallet } from '@causeway/core/testing'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type XrpAdapter, xrpAdapter } from '../adapter.js'
import { NATIVE } from '../address/addresses.js'
import { startRewritingNode } from '../rpc/rewritingNode.test.support.js'
import { chainTesting } from '../testing/chainTesting.js'
import { fundingTransactions, trustTransaction } from '../testing/node/funding.js'
import { type LocalXrpLedger, startLocalXrp } from '../testing/node/localXrp.js'
import { depositAccountOf } from './depositAddresses.js'

const CHAIN = 72_009
const XRP = 1_000_000n
const UNIT = 10n ** 15n
const DEFAULT_RIPPLE = 8

const seed = createHash('sha256').update('seed').digest()
const keyOf = (name: string) => chainTesting.keyOf(createHash('sha256').update(name).digest())
const [solver, allocator, issuer, payer] = [keyOf('solver'), keyOf('allocator'), keyOf('issuer'), keyOf('payer')]
const deposits = depositAccountOf(seed, CHAIN)
const token = `USD.${issuer.address}`

let chain: LocalXrpLedger
let adapter: XrpAdapter
let wallet: TestWallet

const endpoints = (): RpcEndpoint[] => [{ http: chain.rpcUrl, ws: chain.wsUrl, provider: 'local' }]

const adapterOver = (rpc: readonly RpcEndpoint[]): XrpAdapter => {
  const config = {
    ...{ id: CHAIN, slug: 'local-xrp', name: 'Local', package: '@causeway/chain-xrpvm', rpc, solver: solver.address },
    currencies: [
      { address: NATIVE, symbol: 'XRP', name: 'XRP', decimals: 6, groupId: 'xrp' },
      { address: token, symbol: 'USD', name: 'Dollar', decimals: 15, groupId: 'usd' },
    ],
    confirmations: { fill: 1, success: 1, settle: 0, settleSeconds: 0 },
    ...{ enabled: true, options: {} },
  }
  const options = {
    ...{ depository: allocator.address, depositAccount: deposits.address, networkId: CHAIN },
    ...{ pollIntervalMs: 50, rpcTimeoutMs: 2500, endpointCheckMs: 200 },
  }
  const logger = pino({ level: 'silent' })
  return xrpAdapter(options, { config, clock: systemClock, logger, environment: environmentOf({}) })
}

beforeAll(async () => {
  chain = await startLocalXrp({ networkId: CHAIN, blockMs: 0 })
  await chain.apply(
    ...fundingTransactions(issuer.address, 1000n * XRP),
    { TransactionType: 'AccountSet', Account: issuer.address, SetFlag: DEFAULT_RIPPLE },
    ...[solver, allocator, deposits, payer].flatMap(({ address }) => fundingTransactions(address, 10_000n * XRP)),
    ...[allocator, deposits].map(({ address }) => trustTransaction(address, token)),
    ...[solver, payer].flatMap(({ address }) => fundingTransactions(address, 10_000n * UNIT, token)),
  )
  adapter = adapterOver(endpoints())
  await adapter.start(new AbortController().signal)
  const access = { chainId: CHAIN, endpoint: { http: chain.rpcUrl, ws: chain.wsUrl } }
  wallet = chainTesting.openWallet(access, payer.walletKey)
})

afterAll(async () => {
  await adapter?.stop()
  await chain?.close()
})

/** An address to which so much of a currency came. */
const paidAddress = async (currency: string, amount: bigint): Promise<DepositAddress> => {
  const terms = { orderId: bytesToHex(randomBytes(32)), depositor: payer.address }
  const address = { ...terms, ...addresses().derive(terms) }
  const items = await addresses().buildPayment({
    from: payer.address,
    to: address.destination,
    money: { currency, amount },
  })
  await (await wallet.prepare([{ items }])).send()
  await chain.advance()
  return address
}

const addresses = () => {
  const { depositAddresses } = adapter
  if (depositAddresses?.derive === undefined) throw new Error('The adapter has no deposit addresses')
  return { ...depositAddresses, derive: depositAddresses.derive }
}

const liesAt = async (address: DepositAddress, currency: string): Promise<bigint> =>
  (await addresses().holdings([address], [currency]))[0]?.[0]?.amount ?? 0n

const sweep = async (address: DepositAddress, currency: string): Promise<AttemptState | undefined> => {
  const signer = createSecp256k1Signer(solver.privateKey)
  const payout: Payout = {
    ...{
      purpose: 'sweep',
      orderId: address.orderId,
      from: solver.address,
      to: { address: allocator.address },
      calls: [],
    },
    money: { currency, amount: await liesAt(address, currency) },
    sweep: { address, currencies: [currency] },
  }
  const { position } = await adapter.lane.read(solver.address, null)
  const { prepared } = await adapter.lane.prepare([{ payout, gas: null }], position)
  const [attempt] = prepared
  if (attempt === null || attempt === undefined) throw new Error('Nothing can be swept')
  const signed = await adapter.lane.sign(attempt, signer, undefined, seed)
  await adapter.lane.broadcast([signed])
  await chain.advance()
  return (await adapter.lane.states([{ txId: signed.txId, payout }]))[0]
}

it('a sweep takes what lies under its tag and pays its fee out of what the operator left: nothing of another tag', async () => {
  const [one, other] = [await paidAddress(NATIVE, 40n * XRP), await paidAddress(NATIVE, 7n * XRP)]
  expect(await sweep(one, NATIVE)).toMatchObject({ status: 'success', paid: 40n * XRP, feeFrom: 'capital' })
  expect([await liesAt(one, NATIVE), await liesAt(other, NATIVE)]).toEqual([0n, 7n * XRP])
})

it('where the issuer charges for transfers no more leaves than lies there, and nothing of it stays', async () => {
  await chain.apply({ TransactionType: 'AccountSet', Account: issuer.address, TransferRate: 1_002_000_000 })
  const [one, other] = [await paidAddress(token, 100n * UNIT), await paidAddress(token, 5n * UNIT)]
  const state = await sweep(one, token)
  expect(state).toMatchObject({ status: 'success', paid: 99_800_399_201_596_800n })
  expect(state).not.toHaveProperty('currencyFee')
  expect(await liesAt(other, token)).toBe(5n * UNIT)
  // What the ledger rounds is less than anything that could be swept.
  expect(await liesAt(one, token)).toBeLessThan(100n)
})

it('a server that lost a part of the account’s history is no answer, whatever it shows', async () => {
  const address = await paidAddress(NATIVE, XRP)
  const other = adapterOver(endpoints())
  await other.start(new AbortController().signal)
  const height = await chain.height()
  await chain.cutHistory(`${height - 1}-${height}`)
  await expect(other.depositAddresses?.holdings([address], [NATIVE])).rejects.toThrow()
  await chain.cutHistory(null)
  expect(await other.depositAddresses?.holdings([address], [NATIVE])).toEqual([[{ currency: NATIVE, amount: XRP }]])
  await other.stop()
})

it('a server that invents what came does not have the money of others swept, where another one is asked too', async () => {
  const [address, other] = [await paidAddress(NATIVE, 3n * XRP), await paidAddress(NATIVE, 50n * XRP)]
  const liar = await startRewritingNode(chain.rpcUrl)
  liar.rewrite('account_tx', (told) => JSON.parse(JSON.stringify(told).replaceAll('"3000000"', '"53000000"')))
  const misled = adapterOver([{ http: liar.url, provider: 'liar' }, ...endpoints()])
  await misled.start(new AbortController().signal)
  const holdings = await misled.depositAddresses?.holdings([address, other], [NATIVE])
  expect(holdings).toEqual([3n, 50n].map((amount) => [{ currency: NATIVE, amount: amount * XRP }]))
  const alone = adapterOver([{ http: liar.url, provider: 'liar' }])
  await alone.start(new AbortController().signal)
  expect(await alone.depositAddresses?.holdings([address], [NATIVE])).toEqual([
    [{ currency: NATIVE, amount: 53n * XRP }],
  ])
  await Promise.all([misled.stop(), alone.stop()])
  await liar.close()
})
