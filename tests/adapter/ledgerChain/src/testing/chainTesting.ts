import { randomBytes, randomInt } from 'node:crypto'
import { bytesToHex } from '@causeway/core'
import { type CurrencyConfig, createEd25519Signer } from '@causeway/core/chain'
import {
  adoptLedger,
  type ChainAccess,
  type ChainReader,
  type ChainTesting,
  LedgerHandle,
  type LedgerKind,
  type SandboxChain,
  startLedger,
  type TestWallet,
  wholeUnits,
} from '@causeway/core/testing'
import { addressOf, addressOfKey, NATIVE } from '../address.js'
import { bytesOf, idOf, type LedgerBlock, type LedgerRecord, type LedgerTransfer } from '../transaction.js'
import { open } from './localLedger.js'
import { freshAddress } from './wallet.js'

const NATIVE_CURRENCY: CurrencyConfig = {
  address: NATIVE,
  symbol: 'LDG',
  name: 'Ledger coin',
  decimals: 6,
  groupId: 'ldg',
}

const LEDGER: LedgerKind<LedgerHandle> = {
  module: new URL('./localLedger.js', import.meta.url).href,
  open,
  blockMs: 500,
  handle: (parts) => new LedgerHandle(parts),
}

const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

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
  processWord: 'localLedger',
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
  startLocalChain: (options) => startLedger(LEDGER, options),
  adoptLocalChain: (running) => adoptLedger(LEDGER, running),
  readChain: readerOf,
  openWallet: walletOf,
  sandbox,
}
