import { randomBytes, randomInt, randomUUID } from 'node:crypto'
import { bytesToHex } from '@causeway/core'
import { type CurrencyConfig, createEd25519Signer } from '@causeway/core/chain'
import {
  type ChainAccess,
  type ChainReader,
  type ChainTesting,
  type LocalChain,
  type SandboxChain,
  type TestWallet,
  wholeUnits,
} from '@causeway/core/testing'
import { addressOf, addressOfKey, NATIVE } from '../address.js'
import { bytesOf, idOf, type LedgerBlock, type LedgerRecord, type LedgerTransfer } from '../transaction.js'
import { type LocalLedger, startLocalLedger } from './localLedger.js'
import { freshAddress } from './wallet.js'

const BLOCK_MS = 500

const NATIVE_CURRENCY: CurrencyConfig = {
  address: NATIVE,
  symbol: 'LDG',
  name: 'Ledger coin',
  decimals: 6,
  groupId: 'ldg',
}

/** Ledgers of this process by URL: their engines do what no node of a ledger does, such as fund an account. */
const ledgers = new Map<string, LocalLedger>()

const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

const ledgerAt = ({ endpoint }: ChainAccess): LocalLedger => {
  const ledger = ledgers.get(endpoint.http)
  if (ledger === undefined) throw new Error(`No ledger of this process runs at ${endpoint.http}.`)
  return ledger
}

const controlOf = (access: ChainAccess, end: () => Promise<void>): LocalChain => {
  const { engine } = ledgerAt(access)
  return {
    ...access,
    pid: null,
    // Names of networks are random, and a block's hash depends on the name.
    genesisHash: async () => engine.block(0)?.hash ?? '',
    height: async () => engine.head.height,
    fund: async (address, amount, currency = NATIVE) => {
      engine.fund(address, currency, amount)
      engine.advance(1)
    },
    advance: async (blocks = 1) => engine.advance(blocks),
    reorg: async (depth) => engine.reorg(depth),
    lag: null,
    forget: null,
    failNext: null,
    close: end,
  }
}

const startChain: ChainTesting['startLocalChain'] = async ({ chainId, blockMs = BLOCK_MS }) => {
  const ledger = await startLocalLedger({ network: `local-${randomUUID()}` })
  const timer = blockMs === 0 ? undefined : setInterval(() => ledger.engine.advance(1), blockMs)
  ledgers.set(ledger.url, ledger)
  return controlOf({ chainId, endpoint: { http: ledger.url } }, async () => {
    clearInterval(timer)
    ledgers.delete(ledger.url)
    await ledger.close()
  })
}

/** Asks a node as any user can. */
const ask = async <T>({ endpoint }: ChainAccess, method: string, ...params: readonly unknown[]): Promise<T> => {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const response = await fetch(endpoint.http, { method: 'POST', body })
  // CAST: the answers of the local ledger.
  const { result, error } = (await response.json()) as { result: T; error?: { message: string } }
  if (error !== undefined) throw new Error(error.message)
  return result
}

const readerOf = (access: ChainAccess): ChainReader => ({
  balance: async (holder, currency) => BigInt(await ask<string>(access, 'ledger_balance', holder, currency)),
  succeeded: async (id) => (await ask<LedgerRecord | null>(access, 'ledger_record', id))?.status === 'success',
  freshAddress,
})

/** A transfer of a user, signed, as a node takes it. */
const signedBy = async (walletKey: string, draft: LedgerTransfer, height: number) => {
  const signer = createEd25519Signer(walletKey)
  const { to, currency, amount, memo } = draft
  const from = addressOfKey(signer.publicKey)
  const transfer = { from, to, currency, amount, memo, sequence: randomInt(2 ** 31), validUntil: height + 20 }
  const signature = hexOf(await signer.sign(bytesOf(transfer)))
  const signed = JSON.stringify({ transfer, publicKey: hexOf(signer.publicKey), signature })
  return { id: idOf(transfer), raw: `0x${hexOf(Buffer.from(signed))}` }
}

const walletOf = (access: ChainAccess, walletKey: string): TestWallet => ({
  address: addressOfKey(createEd25519Signer(walletKey).publicKey),
  chain: readerOf(access),
  prepare: async (steps) => {
    // CAST: the data that buildDeposit gives.
    const [draft] = steps.flatMap(({ items }) => items.map(({ data }) => data as LedgerTransfer))
    if (draft === undefined) throw new Error('The quote has no transaction.')
    const { height } = await ask<LedgerBlock>(access, 'ledger_head')
    const { id, raw } = await signedBy(walletKey, draft, height)
    return {
      send: async () => {
        await ask(access, 'ledger_submit', raw)
        return id
      },
      feesPaid: async () => BigInt((await ask<LedgerRecord>(access, 'ledger_record', id)).fee),
    }
  },
})

const keyOf: ChainTesting['keyOf'] = (secret) => {
  const privateKey = bytesToHex(secret)
  const address = addressOfKey(createEd25519Signer(privateKey).publicKey)
  return { address, privateKey, walletKey: privateKey }
}

const sandbox: SandboxChain = {
  // Its chains have no process of their own.
  processWord: '',
  allocator: 'own',
  hasTokens: true,
  deploy: async (chain, { tokens, allocator, payout, users, solverHolds, userHolds }) => {
    const currencies = [
      NATIVE_CURRENCY,
      ...tokens.map((token) => ({ ...token, address: addressOf(randomBytes(20).toString('hex')) })),
    ]
    const holders = [
      { address: payout.address, ...solverHolds },
      ...users.map((address) => ({ address, ...userHolds })),
    ]
    for (const { address, native, token } of holders)
      for (const currency of currencies) {
        const units = currency.address === NATIVE ? native : token
        await chain.fund(address, wholeUnits(units, currency.decimals), currency.address)
      }
    const depository = allocator.address
    const network = await ask<string>(chain, 'ledger_network')
    return { depository, options: { network, depository, pollIntervalMs: 200 }, currencies, unlisted: [] }
  },
}

/** Local ledgers by the contract that sandboxes and `causeway try-adapter` know. */
export const chainTesting: ChainTesting = {
  vmType: 'ledgervm',
  native: NATIVE_CURRENCY,
  keyOf,
  startLocalChain: startChain,
  adoptLocalChain: async (access) => controlOf(access, () => ledgerAt(access).close()),
  readChain: readerOf,
  openWallet: walletOf,
  sandbox,
}
