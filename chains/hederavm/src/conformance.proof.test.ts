import { randomBytes } from 'node:crypto'
import { bytesToHex, environmentOf, type Json, systemClock } from '@causeway/core'
import { compressPublicKey, createSecp256k1Signer, type RpcEndpoint, type StepItemDraft } from '@causeway/core/chain'
import { evmAddressOfKey } from '@causeway/core/chain-kit'
import {
  type ConformanceHarness,
  conformanceCases,
  hostileNodes,
  type LookAlike,
  RULE_IDS,
  runConformance,
} from '@causeway/core/testing'
import type { proto } from '@hiero-ledger/proto'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type HederaAdapter, hederaAdapter } from './adapter.js'
import { NATIVE, numberOf } from './address/addresses.js'
import { checksumOf } from './address/checksum.js'
import { depositKeyOf } from './depositAddress/depositAddresses.js'
import { depositAccountOf } from './depositAddress/memoAddresses.js'
import type { HederaOptions } from './options.js'
import { accountIdOf, int64, tokenIdOf } from './testing/engine/values.js'
import { HederaWallet, type TransferStep } from './testing/hederaWallet.js'
import { type LocalHedera, startLocalHedera } from './testing/node/localHedera.js'

const CHAIN_ID = 9_000_009
const LEDGER_ID = '0089544a'
const HBAR = 100_000_000n
const AMOUNT = 20n * HBAR
const PLENTY = 1_000_000n * HBAR
const WINDOW_SECONDS = 120

const newKey = () => {
  const secret = bytesToHex(randomBytes(32))
  const signer = createSecp256k1Signer(secret)
  return { secret, signer, address: evmAddressOfKey(signer.publicKey) }
}

const seed = Buffer.alloc(32, 0x5e)
const [solver, vault, owner] = [newKey(), newKey(), newKey()]
let chain: LocalHedera
let genesisHash: string
let wallet: HederaWallet
let user: string
let depository: string
let issuer: string
let [token, strange, charging] = ['', '', '']
let adapter: HederaAdapter

/** Addresses with keys of their own, and memos of one account. */
const deposits = depositAccountOf(seed, CHAIN_ID)
const KEYS = { depositKey: depositKeyOf(seed) }
const MEMOS = { depositAccount: deposits.address }

const keyOf = ({ signer }: Pick<ReturnType<typeof newKey>, 'signer'>): proto.IKey => ({
  ECDSASecp256k1: compressPublicKey(signer.publicKey),
})

/** Applies transactions; returns the accounts and tokens that they made. */
const made = async (...bodies: readonly proto.ITransactionBody[]): Promise<readonly string[]> =>
  (await chain.apply(...bodies)).map(({ account, token: id }) => account ?? id ?? '')

const accountBody = (key: Parameters<typeof keyOf>[0], more: object = {}): proto.ITransactionBody => ({
  cryptoCreateAccount: { key: keyOf(key), ...more },
})

const ownAccount = (key: Pick<ReturnType<typeof newKey>, 'signer' | 'address'>) =>
  accountBody(key, { alias: Buffer.from(key.address.slice(2), 'hex') })

const tokenBody = (symbol: string, customFees: readonly proto.ICustomFee[] = []): proto.ITransactionBody => ({
  tokenCreation: {
    ...{ name: symbol, symbol, decimals: 8, treasury: accountIdOf(issuer), initialSupply: int64(PLENTY * 10n) },
    ...{ freezeKey: keyOf(vault), customFees: [...customFees] },
  },
})

const associate = (account: string, ...tokens: readonly string[]): proto.ITransactionBody => ({
  tokenAssociate: { account: accountIdOf(account), tokens: tokens.map(tokenIdOf) },
})

beforeAll(async () => {
  chain = await startLocalHedera({ chainId: CHAIN_ID, blockMs: 0 })
  genesisHash = `0x${await chain.genesisHash()}`
  const accounts = await made(ownAccount(solver), ownAccount(vault), accountBody(newKey()), ownAccount(deposits))
  const [payer = '', vaultId = '', treasury = '', depositId = ''] = accounts
  ;[depository, issuer] = [vaultId, treasury]
  const share = {
    feeCollectorAccountId: accountIdOf(issuer),
    fractionalFee: { fractionalAmount: { numerator: int64(1), denominator: int64(10) } },
  }
  ;[token = '', strange = '', charging = ''] = await made(tokenBody('TOK'), tokenBody('STR'), tokenBody('FEE', [share]))
  await made(associate(payer, token), associate(vaultId, token, strange, charging), associate(depositId, token))
  for (const address of [solver.address, owner.address]) {
    await chain.fund(address, PLENTY)
    await chain.fund(address, PLENTY, token)
  }
  for (const held of [strange, charging]) await chain.fund(owner.address, PLENTY, held)
  wallet = new HederaWallet(chain, owner.secret)
  user = await wallet.chain.accountId(owner.address)
  adapter = await startAdapter(KEYS)
}, 120_000)

afterAll(async () => {
  await adapter?.stop()
  await chain?.close()
})

const endpoints = (): RpcEndpoint[] => [{ ...chain.endpoint, provider: 'local' }]

const startAdapter = async (addresses: Partial<HederaOptions>): Promise<HederaAdapter> => {
  const started = adapterOver(endpoints(), addresses)
  await started.start(new AbortController().signal)
  return started
}

const adapterOver = (rpc: readonly RpcEndpoint[], addresses: Partial<HederaOptions>): HederaAdapter => {
  const config = {
    id: CHAIN_ID,
    slug: 'local-hedera',
    name: 'Local',
    package: '@causeway/chain-hederavm',
    rpc,
    currencies: [
      { address: NATIVE, symbol: 'HBAR', name: 'HBAR', decimals: 8, groupId: 'hbar' },
      { address: token, symbol: 'TOK', name: 'Token', decimals: 8, groupId: 'token' },
    ],
    confirmations: { fill: 1, success: 1, settle: 0, settleSeconds: 0 },
    solver: solver.address,
    enabled: true,
    options: {},
  }
  const options = {
    ...{ depository: vault.address, ledgerId: LEDGER_ID, genesisHash, ...addresses },
    ...{ windowSeconds: WINDOW_SECONDS, mirrorLagBlocks: 0 },
    ...{ pollIntervalMs: 50, rpcTimeoutMs: 2500, endpointCheckMs: 200 },
  }
  const logger = pino({ level: 'silent' })
  return hederaAdapter(options, { config, clock: systemClock, logger, environment: environmentOf({}) })
}

/** Signs a step, sends it and ends the block. */
const send = async (data: Json): Promise<string> => {
  // CAST: a step item of a quote, of which the wallet reads the data.
  const items = [{ stepId: 'deposit', kind: 'transaction', data } as unknown as StepItemDraft]
  const id = await (await wallet.prepare([{ items }])).send()
  await chain.advance()
  return id
}

// CAST: the shape of a step item of this chain.
const stepOf = (data: Json) => data as unknown as TransferStep

const stepJson = (step: TransferStep): Json =>
  // CAST: plain data, all of it JSON.
  step as unknown as Json

/** The same transfer of a much larger amount. */
const tooMuch = (data: Json): Json => {
  const { transfers, memo } = stepOf(data)
  const amountOf = (amount: string): string => `${amount.startsWith('-') ? '-' : ''}${PLENTY * 5n}`
  return stepJson({ memo, transfers: transfers.map((one) => ({ ...one, amount: amountOf(one.amount) })) })
}

const transfer = (to: string, amount: bigint, memo: string, tokenId?: string): Json => {
  const named = tokenId === undefined ? {} : { tokenId }
  const transfers = [
    { accountId: user, amount: `-${amount}`, ...named },
    { accountId: to, amount: `${amount}`, ...named },
  ]
  return stepJson({ memo, transfers })
}

const lookAlikes = (): readonly LookAlike[] => [
  {
    what: 'a payment to another account with the memo of a deposit',
    make: (orderId) => send(transfer(issuer, AMOUNT, orderId)),
    arrived: null,
  },
  {
    what: 'a payment of the depository itself',
    make: async (orderId) => {
      const accountAmounts = [
        { accountID: accountIdOf(depository), amount: int64(-AMOUNT) },
        { accountID: accountIdOf(user), amount: int64(AMOUNT) },
      ]
      const [applied] = await chain.apply({ memo: orderId, cryptoTransfer: { transfers: { accountAmounts } } })
      return applied?.id ?? ''
    },
    arrived: null,
  },
  {
    what: 'a token whose own fee reduces the amount (chains.md hederavm 4)',
    make: (orderId) => send(transfer(depository, AMOUNT, orderId, charging)),
    arrived: { currency: charging, amount: (AMOUNT * 9n) / 10n },
  },
]

/** Accounts that the network does not pay. */
const impossibleRecipients = async () => {
  const [plain = '', signing = '', gone = '', frozen = ''] = await made(
    accountBody(newKey()),
    accountBody(newKey(), { receiverSigRequired: true }),
    accountBody(newKey()),
    accountBody(newKey()),
  )
  await made(
    { cryptoDelete: { deleteAccountID: accountIdOf(gone), transferAccountID: accountIdOf(issuer) } },
    associate(frozen, token),
    { tokenFreeze: { account: accountIdOf(frozen), token: tokenIdOf(token) } },
  )
  return [
    { what: 'an account without an association', address: plain, currency: token },
    { what: 'an account that signs for what it receives', address: signing, currency: NATIVE },
    { what: 'a deleted account', address: gone, currency: NATIVE },
    { what: 'a frozen account', address: frozen, currency: token },
    { what: 'an address without an account', address: newKey().address, currency: NATIVE },
  ]
}

const longZero = (account: string): string => `0x${numberOf(account).toString(16).padStart(40, '0')}`

const createHarness = (tested: HederaAdapter, addresses: Partial<HederaOptions>): ConformanceHarness => {
  const checksum = checksumOf(user, LEDGER_ID)
  const { hostile, forget, smallPages } = hostileNodes(chain, {
    other: () => startLocalHedera({ chainId: CHAIN_ID, blockMs: 0 }),
    finalDepth: 0,
  })
  return {
    versions: { adapter: '@causeway/chain-hederavm 1.0.0', localChain: 'local Hedera network 1.0.0' },
    adapter: tested,
    rpc: endpoints(),
    createAdapter: async (rpc) => adapterOver(rpc, addresses),
    smallPages: async () => adapterOver([{ ...(await smallPages()).endpoint, provider: 'small pages' }], addresses),
    signer: solver.signer,
    allocator: vault.signer,
    seed,
    user: { address: user, send, sendFailing: (data) => send(tooMuch(data)) },
    currencies: [NATIVE, token],
    nativeDecimals: 8,
    amount: AMOUNT,
    freshAddress: async (currency = NATIVE) => {
      const [account = ''] = await made(accountBody(newKey()))
      if (currency !== NATIVE) await made(associate(account, currency))
      return account
    },
    addresses: {
      valid: [
        { text: user, canonical: user },
        { text: `${user}-${checksum}`, canonical: user },
        { text: longZero(user), canonical: user },
        { text: solver.address, canonical: solver.address },
        { text: `0.0.${solver.address.slice(2)}`, canonical: solver.address },
        { text: NATIVE, canonical: NATIVE },
      ],
      invalid: [
        { text: 'T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb', problem: 'foreign-network' },
        { text: 'bc1qzmtn0q92ayejt2hpffvlktcpmyy7vvsd06sefu', problem: 'foreign-network' },
        { text: `${user}-${checksumOf(user, '00')}`, problem: 'foreign-network' },
        { text: `${user}-${checksum === 'aaaaa' ? 'bbbbb' : 'aaaaa'}`, problem: 'bad-checksum' },
        { text: `0.1.${numberOf(user)}`, problem: 'malformed' },
        { text: `${user} `, problem: 'malformed' },
      ],
    },
    feeErrorPercent: { deposit: 10, payout: 10 },
    finalDepth: 0,
    height: () => chain.height(),
    patienceSeconds: 30,
    advance: (blocks) => chain.advance(blocks),
    expire: async () => {
      await chain.wind((WINDOW_SECONDS + 10) * 1000)
      await chain.advance(2)
    },
    strangeToken: async () => strange,
    lookAlikes: lookAlikes(),
    impossibleRecipients,
    hostile,
    forget,
  }
}

const ADDRESS_RULES = /^(?:address-|arrival-|sweep-|holdings$)/

/** No block ever leaves the network, payments are not replaced, and addresses derived. */
const EXEMPT = [
  ...['deposit-reorg', 'deposit-tagged', 'payout-tagged', 'payout-reorg', 'payout-shared', 'final-height'],
  ...['payout-replaced', 'payout-cancelled', 'address-genuine', 'arrival-reorg', 'sweep-replaced', 'sweep-reorg'],
  ...['wallet-signature', 'wallet-hostile', 'wallet-agreed'],
  ...['permit-bound', 'permit-paid', 'permit-once', 'permit-found'],
]

test('the Hedera adapter keeps every rule of the kit', { timeout: 900_000 }, async () => {
  const lines: string[] = []
  const report = await runConformance(createHarness(adapter, KEYS), { print: (line) => lines.push(line) })
  expect(report.failed, lines.join('\n')).toEqual([])
  expect(report.deviations.map(({ name }) => name)).toEqual([])
  expect(report.exemptions.map(({ name }) => name)).toEqual(EXEMPT)
  expect(report.passed).toBe(RULE_IDS.length - EXEMPT.length)
})

test('memos of one account keep the rules of deposit addresses', { timeout: 600_000 }, async () => {
  const memos = await startAdapter(MEMOS)
  try {
    const cases = conformanceCases(createHarness(memos, MEMOS)).filter(({ id }) => ADDRESS_RULES.test(id))
    const failed: string[] = []
    for (const { name, exemption, run } of cases)
      if (exemption === null) await run().catch((error: unknown) => failed.push(`${name}: ${String(error)}`))
    expect(failed).toEqual([])
    expect(cases.flatMap(({ id, exemption }) => (exemption === null ? [] : [id]))).toEqual(
      EXEMPT.filter((id) => ADDRESS_RULES.test(id)),
    )
  } finally {
    await memos.stop()
  }
})
