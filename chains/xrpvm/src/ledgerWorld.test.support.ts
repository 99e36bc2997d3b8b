import { randomBytes } from 'node:crypto'
import { bytesToHex, environmentOf, systemClock } from '@causeway/core'
import { type ChainConfig, type ChainDeps, createSecp256k1Signer, type RpcEndpoint } from '@causeway/core/chain'
import { pino } from 'pino'
import { type XrpAdapter, xrpAdapter } from './adapter.js'
import { accountOfKey, NATIVE } from './address/addresses.js'
import type { XrpOptions } from './options.js'
import type { UnsignedTx } from './testing/engine/transaction.js'
import { fundingTransactions, trustTransaction } from './testing/node/funding.js'
import { startLocalXrp } from './testing/node/localXrp.js'

export const CHAIN_ID = 9_000_008
export const XRP = 1_000_000n
export const UNIT = 10n ** 15n

const DEFAULT_RIPPLE = 8
const FUNDS = 1000n * XRP

export const newAddress = (): string => accountOfKey(createSecp256k1Signer(bytesToHex(randomBytes(32))).publicKey)

/** A local ledger that closes on demand, with an issuer, a depository, a solver and a user who hold what it issues. */
export const openLedgerWorld = async () => {
  const chain = await startLocalXrp({ networkId: CHAIN_ID, blockMs: 0 })
  const [issuer, depository, solver, user] = [newAddress(), newAddress(), newAddress(), newAddress()]
  const token = `TOK.${issuer}`
  const apply = (...transactions: readonly UnsignedTx[]) => chain.apply(...transactions)
  const fund = (address: string, amount: bigint, currency?: string) =>
    apply(...fundingTransactions(address, amount, currency))
  await apply(...[issuer, depository, solver, user].flatMap((address) => fundingTransactions(address, FUNDS)))
  await apply({ TransactionType: 'AccountSet', Account: issuer, SetFlag: DEFAULT_RIPPLE })
  await apply(trustTransaction(depository, token), ...fundingTransactions(solver, UNIT, token))
  await fund(user, UNIT, token)
  const currency = { name: 'Token', groupId: 'token', decimals: 15 }
  const configOf = (rpc: readonly RpcEndpoint[]): ChainConfig => ({
    id: CHAIN_ID,
    slug: 'local-xrp',
    name: 'Local',
    package: '@causeway/chain-xrpvm',
    rpc,
    currencies: [
      { address: NATIVE, symbol: 'XRP', name: 'XRP', decimals: 6, groupId: 'xrp' },
      { ...currency, address: token, symbol: 'TOK' },
    ],
    confirmations: { fill: 1, success: 1, settle: 0, settleSeconds: 0 },
    solver,
    enabled: true,
    options: {},
  })
  const endpoint: RpcEndpoint = { http: chain.rpcUrl, ws: chain.wsUrl, provider: 'local' }
  return {
    ...{ chain, issuer, depository, solver, user, token, endpoint, configOf, apply, fund },
    /** A payment, in a ledger of its own. */
    pay: async (fields: Omit<UnsignedTx, 'TransactionType'>): Promise<string> => {
      const [hash = ''] = await apply({ TransactionType: 'Payment', ...fields })
      return hash
    },
    adapterOver: (
      options: Partial<XrpOptions> = {},
      rpc: readonly RpcEndpoint[] = [endpoint],
      more: Pick<ChainDeps, 'keptSums'> = {},
    ): XrpAdapter =>
      xrpAdapter(
        { depository, networkId: CHAIN_ID, pollIntervalMs: 50, endpointCheckMs: 200, ...options },
        {
          config: configOf(rpc),
          clock: systemClock,
          logger: pino({ level: 'silent' }),
          environment: environmentOf({}),
          ...more,
        },
      ),
  }
}

export type LedgerWorld = Awaited<ReturnType<typeof openLedgerWorld>>
