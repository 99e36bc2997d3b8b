import { randomBytes } from 'node:crypto'
import { bytesToHex, environmentOf, type Json, systemClock } from '@causeway/core'
import { createSecp256k1Signer, type RpcEndpoint } from '@causeway/core/chain'
import {
  type ConformanceHarness,
  type HostileEndpoint,
  type HostileKind,
  type LookAlike,
  RULE_IDS,
  runConformance,
} from '@causeway/core/testing'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Client, type SubmittableTransaction, Wallet } from 'xrpl'
import { type XrpAdapter, xrpAdapter } from './adapter.js'
import { accountOfKey, NATIVE, xAddressOf } from './address/addresses.js'
import { amountJson } from './address/amounts.js'
import { memosOf } from './deposit/memos.js'
import { depositAccountOf } from './depositAddress/depositAddresses.js'
import { PARTIAL_PAYMENT } from './read/transactions.js'
import { type RewritingNode, startRewritingNode } from './rpc/rewritingNode.test.support.js'
import { fundingTransactions, trustTransaction } from './testing/node/funding.js'
import { type LocalXrpLedger, startLocalXrp } from './testing/node/localXrp.js'

const CHAIN_ID = 9_000_007
const XRP = 1_000_000n
const AMOUNT = 20n * XRP
const PLENTY = 1_000_000n * XRP
/** More than one AMOUNT, far less than a trust line allows. */
const TOKENS = 10n ** 18n
const LIFETIME = 20

const newKey = () => {
  const signer = createSecp256k1Signer(bytesToHex(randomBytes(32)))
  return { signer, address: accountOfKey(signer.publicKey) }
}

const seed = Buffer.alloc(32, 0x5e)
const [solver, vault, issuer] = [newKey(), newKey(), newKey()]
const user = Wallet.generate()
const token = `TOK.${issuer.address}`
const strange = `STR.${issuer.address}`
const depositAccount = depositAccountOf(seed, CHAIN_ID).address
let chain: LocalXrpLedger
let client: Client
let adapter: XrpAdapter
/** Nodes that end with the tests. */
const paging: RewritingNode[] = []

beforeAll(async () => {
  chain = await startLocalXrp({ networkId: CHAIN_ID, blockMs: 0 })
  const accounts = [issuer.address, vault.address, depositAccount, solver.address, user.classicAddress]
  await chain.apply(...accounts.flatMap((address) => fundingTransactions(address, PLENTY)))
  await chain.apply(
    { TransactionType: 'AccountSet', Account: issuer.address, SetFlag: 8 },
    ...[vault.address, depositAccount].flatMap((address) =>
      [token, strange].map((currency) => trustTransaction(address, currency)),
    ),
    ...[solver.address, user.classicAddress].flatMap((address) => fundingTransactions(address, TOKENS, token)),
    ...fundingTransactions(user.classicAddress, TOKENS, strange),
  )
  client = new Client(chain.wsUrl)
  await client.connect()
  adapter = adapterOver(endpoints())
  await adapter.start(new AbortController().signal)
})

afterAll(async () => {
  await adapter?.stop()
  await Promise.all(paging.map((node) => node.close()))
  await client?.disconnect()
  await chain?.close()
})

const endpoints = (): RpcEndpoint[] => [{ http: chain.rpcUrl, ws: chain.wsUrl, provider: 'local' }]

const adapterOver = (rpc: readonly RpcEndpoint[]): XrpAdapter => {
  const config = {
    id: CHAIN_ID,
    slug: 'local-xrp',
    name: 'Local',
    package: '@causeway/chain-xrpvm',
    rpc,
    currencies: [
      { address: NATIVE, symbol: 'XRP', name: 'XRP', decimals: 6, groupId: 'xrp' },
      { address: token, symbol: 'TOK', name: 'Token', decimals: 15, groupId: 'token' },
    ],
    confirmations: { fill: 1, success: 1, settle: 0, settleSeconds: 0 },
    solver: solver.address,
    enabled: true,
    options: {},
  }
  const options = {
    depository: vault.address,
    depositAccount,
    networkId: CHAIN_ID,
    lifetimeLedgers: LIFETIME,
    pollIntervalMs: 50,
    rpcTimeoutMs: 2500,
    endpointCheckMs: 200,
  }
  const logger = pino({ level: 'silent' })
  return xrpAdapter(options, { config, clock: systemClock, logger, environment: environmentOf({}) })
}

/** Signs what a wallet filled in, sends it and closes the ledger. */
const send = async (transaction: SubmittableTransaction, result = 'tesSUCCESS'): Promise<string> => {
  const { tx_blob, hash } = user.sign(await client.autofill(transaction))
  await client.submit(tx_blob)
  await chain.advance()
  const { result: found } = await client.request({ command: 'tx', transaction: hash })
  const meta = found.meta
  if (typeof meta === 'object' && meta.TransactionResult === result) return hash
  throw new Error(`The payment ended otherwise: ${JSON.stringify(meta)}`)
}

/** The transaction of a step item. */
const transactionOf = (data: Json): SubmittableTransaction =>
  // CAST: the shape of a step item of this chain.
  (data as unknown as { readonly transaction: SubmittableTransaction }).transaction

const payment = (fields: object): SubmittableTransaction =>
  // CAST: the fields of a payment.
  ({ TransactionType: 'Payment', Account: user.classicAddress, ...fields }) as unknown as SubmittableTransaction

const lookAlikes = (): readonly LookAlike[] => [
  {
    what: 'a payment to somebody else with the memo of a deposit',
    make: (orderId) => send(payment({ Destination: issuer.address, Amount: `${AMOUNT}`, Memos: memosOf(orderId) })),
    arrived: null,
  },
  {
    what: 'a payment of the depository itself',
    make: async (orderId) => {
      const fields = { Destination: user.classicAddress, Amount: `${AMOUNT}`, Memos: memosOf(orderId) }
      const [hash = ''] = await chain.apply({ TransactionType: 'Payment', Account: vault.address, ...fields })
      return hash
    },
    arrived: null,
  },
  {
    what: 'a partial payment that says more than it brings (chains.md xrpvm 4)',
    make: (orderId) => {
      const [said, spent] = [amountJson(token, AMOUNT), amountJson(token, 7n)]
      const fields = { Amount: said, SendMax: spent, Flags: PARTIAL_PAYMENT, Memos: memosOf(orderId) }
      return send(payment({ Destination: vault.address, ...fields }))
    },
    arrived: { currency: token, amount: 7n },
  },
]

const hostile = async (kind: HostileKind): Promise<HostileEndpoint> => {
  if (kind === 'wrong-chain') {
    const other = await startLocalXrp({ networkId: CHAIN_ID + 1, blockMs: 0 })
    return { endpoint: { http: other.rpcUrl }, close: () => other.close() }
  }
  const node = await startRewritingNode(chain.rpcUrl)
  if (kind === 'forked') {
    node.rewrite('ledger', (answer) => onBranch(answer))
    return { endpoint: { http: node.url }, close: () => node.close() }
  }
  await chain.advance(30)
  node.redirect('ledger', (asked) => (asked.ledger_index === 'validated' ? { ...asked, ledger_index: 3 } : asked))
  return { endpoint: { http: node.url }, close: () => node.close() }
}

/** The same ledger with another hash. */
const onBranch = (answer: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> => {
  const { ledger, ledger_hash } = answer
  if (typeof ledger_hash !== 'string') return answer
  const other = ledger_hash.replace(/.$/, (digit) => (digit === '0' ? '1' : '0'))
  return { ...answer, ledger_hash: other, ledger: { ...Object(ledger), ledger_hash: other } }
}

/** An adapter that is shown two transactions of an account at a time. */
const smallPages = async (rpc: readonly RpcEndpoint[]): Promise<XrpAdapter> => {
  const node = await startRewritingNode(rpc[0]?.http ?? '')
  node.redirect('account_tx', (asked) => ({ ...asked, limit: 2 }))
  paging.push(node)
  return adapterOver([{ http: node.url, provider: 'small pages' }])
}

/** Accounts that the ledger pays under conditions that a payment here does not keep. */
const impossibleRecipients = async () => {
  const [tagged, choosy, poor] = [newKey().address, newKey().address, newKey().address]
  await chain.apply(
    ...[tagged, choosy, poor].flatMap((address) => fundingTransactions(address, AMOUNT)),
    { TransactionType: 'AccountSet', Account: tagged, SetFlag: 1 },
    { TransactionType: 'AccountSet', Account: choosy, SetFlag: 9 },
  )
  return [
    { what: 'an account that asks for a tag', address: tagged, currency: NATIVE },
    { what: 'an account that chooses who pays it', address: choosy, currency: NATIVE },
    { what: 'an account without a trust line', address: poor, currency: token },
    { what: 'an account that does not exist, for tokens', address: newKey().address, currency: token },
  ]
}

const createHarness = (): ConformanceHarness => {
  const own = user.classicAddress
  const check = own.slice(-1) === 'z' ? 'y' : 'z'
  return {
    versions: { adapter: '@causeway/chain-xrpvm 1.0.0', localChain: 'local XRP Ledger 1.0.0' },
    adapter,
    rpc: endpoints(),
    createAdapter: adapterOver,
    smallPages,
    signer: solver.signer,
    allocator: vault.signer,
    seed,
    user: {
      address: own,
      send: (data) => send(transactionOf(data)),
      sendTagged: (data, _item, tag) =>
        // CAST: a deposit is a payment.
        send({ ...transactionOf(data), SourceTag: tag } as SubmittableTransaction),
      sendFailing: (data) =>
        // CAST: a deposit is a payment.
        send({ ...transactionOf(data), Amount: `${10n ** 16n}` } as SubmittableTransaction, 'tecUNFUNDED_PAYMENT'),
    },
    currencies: [NATIVE, token],
    nativeDecimals: 6,
    amount: AMOUNT,
    freshAddress: async (currency = NATIVE) => {
      const { address } = newKey()
      if (currency !== NATIVE)
        await chain.apply(...fundingTransactions(address, AMOUNT), trustTransaction(address, currency))
      return address
    },
    addresses: {
      valid: [
        { text: own, canonical: own },
        { text: xAddressOf(own, undefined, CHAIN_ID), canonical: own },
        { text: xAddressOf(own, 7, CHAIN_ID), canonical: own },
        { text: NATIVE, canonical: NATIVE },
      ],
      invalid: [
        { text: '0x00000000000000000000000000000000000000aa', problem: 'foreign-network' },
        { text: 'bc1qzmtn0q92ayejt2hpffvlktcpmyy7vvsd06sefu', problem: 'foreign-network' },
        { text: xAddressOf(own, undefined, 0), problem: 'foreign-network' },
        { text: `${own.slice(0, -1)}${check}`, problem: 'bad-checksum' },
        { text: own.slice(0, -8), problem: 'malformed' },
        { text: `${own} `, problem: 'malformed' },
      ],
    },
    feeErrorPercent: { deposit: 50, payout: 50 },
    finalDepth: 0,
    height: () => chain.height(),
    patienceSeconds: 30,
    advance: (ledgers) => chain.advance(ledgers),
    expire: () => chain.advance(LIFETIME + 2),
    strangeToken: async () => strange,
    lookAlikes: lookAlikes(),
    impossibleRecipients,
    hostile,
    forget: async () => {
      await chain.forget(1)
      return { endpoint: { http: chain.rpcUrl }, close: () => chain.forget(0) }
    },
  }
}

/** Nothing validated ever leaves the ledger, payments are replaced, and addresses derived. */
const EXEMPT = [
  'deposit-reorg',
  'payout-reorg',
  'payout-shared',
  'final-height',
  'payout-expired',
  'address-genuine',
  'arrival-reorg',
  'sweep-reorg',
  'wallet-signature',
  'wallet-hostile',
  'wallet-agreed',
  'permit-bound',
  'permit-paid',
  'permit-once',
  'permit-found',
]

test('the XRP Ledger adapter keeps every rule of the kit', { timeout: 600_000 }, async () => {
  const lines: string[] = []
  const report = await runConformance(createHarness(), { print: (line) => lines.push(line) })
  expect(report.failed, lines.join('\n')).toEqual([])
  expect(report.deviations.map(({ name }) => name)).toEqual([])
  expect(report.exemptions.map(({ name }) => name)).toEqual(EXEMPT)
  expect(report.passed).toBe(RULE_IDS.length - EXEMPT.length)
})
