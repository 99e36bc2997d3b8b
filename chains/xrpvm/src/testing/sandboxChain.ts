import { randomBytes } from 'node:crypto'
import type { CurrencyConfig } from '@causeway/core/chain'
import {
  controlNode,
  type DeploymentPlan,
  type LocalChain,
  type SandboxChain,
  wholeUnits,
} from '@causeway/core/testing'
import { depositAccountOf } from '../depositAddress/depositAddresses.js'
import { accountOfSecret } from './accountOfSecret.js'
import type { UnsignedTx } from './engine/transaction.js'
import { fundingTransactions, trustTransaction } from './node/funding.js'
import { currencyCode, ISSUED_DECIMALS } from './node/issuedUnits.js'

/** As configurations list it. */
export const NATIVE_CURRENCY: CurrencyConfig = {
  address: 'rrrrrrrrrrrrrrrrrrrrrhoLvTp',
  symbol: 'XRP',
  name: 'XRP',
  decimals: 6,
  groupId: 'xrp',
}

const XRP = 1_000_000n
/** What the operator leaves on the depository and on the account of deposit addresses, for reserves and fees. */
const FLOAT = 100n * XRP
const ISSUER_HOLDS = 1000n * XRP
const TICKETS = 50
const DEFAULT_RIPPLE = 8
const POLL_MS = 200

/** How a deployment on a local ledger is to be. */
export interface XrpDeploymentOptions {
  /** How many tickets the solver and the depository have each (default 50). */
  readonly tickets?: number
}

/** A sandbox of deployments that are made so. */
export const sandboxChainOf = ({ tickets = TICKETS }: XrpDeploymentOptions = {}): SandboxChain => ({
  processWord: 'openLocalXrp',
  allocator: 'own',
  hasTokens: true,
  deploy: async (chain, plan) => {
    const { chainId } = chain
    const depositAccount = plan.seed === undefined ? null : depositAccountOf(plan.seed, chainId).address
    const issuer = accountOfSecret(randomBytes(32))
    const tokens = plan.tokens.map((token) => currencyOf(token, issuer))
    await applyAll(chain, fundingOf(plan, { depositAccount, issuer, tickets, tokens }))
    // What the operator left there is no deposit.
    const startLedger = (await chain.height()) + 1
    await chain.advance()
    const depository = plan.allocator.address
    return {
      depository,
      options: {
        ...{ depository, networkId: chainId, startLedger, pollIntervalMs: POLL_MS },
        ...(depositAccount === null ? {} : { depositAccount }),
      },
      currencies: [NATIVE_CURRENCY, ...tokens],
      unlisted: [],
    }
  },
})

/**
 * Deposits go to the account of the allocator's key. Tokens are of one issuer for each deployment, and everybody trusts them; whatever
 * decimals a plan says, they have the 15 of every issued currency.
 */
export const sandboxChain: SandboxChain = sandboxChainOf()

const currencyOf = ({ standard: _, ...token }: DeploymentPlan['tokens'][number], issuer: string): CurrencyConfig => ({
  ...token,
  decimals: ISSUED_DECIMALS,
  address: `${currencyCode(token.symbol)}.${issuer}`,
})

interface Deployed {
  readonly depositAccount: string | null
  readonly issuer: string
  readonly tickets: number
  readonly tokens: readonly CurrencyConfig[]
}

/** Applies transactions without keys and fees, in one ledger. */
export const applyAll = ({ endpoint }: Pick<LocalChain, 'endpoint'>, transactions: readonly UnsignedTx[]) =>
  controlNode(endpoint.http, 'apply', transactions)

/** Everything a deployment needs, in one ledger. */
const fundingOf = (plan: DeploymentPlan, { depositAccount, issuer, tickets, tokens }: Deployed) => {
  const { payout, allocator, users, solverHolds, userHolds } = plan
  const holders = [{ address: payout.address, ...solverHolds }, ...users.map((address) => ({ address, ...userHolds }))]
  const ours = [allocator.address, ...(depositAccount === null ? [] : [depositAccount])]
  return [
    ...fundingTransactions(issuer, ISSUER_HOLDS),
    { TransactionType: 'AccountSet', Account: issuer, SetFlag: DEFAULT_RIPPLE },
    ...ours.flatMap((address) => fundingTransactions(address, FLOAT)),
    ...ours.flatMap((address) => tokens.map((token) => trustTransaction(address, token.address))),
    ...holders.flatMap(({ address, native, token }) => [
      ...fundingTransactions(address, wholeUnits(native, NATIVE_CURRENCY.decimals)),
      ...tokens.flatMap((one) => holding(address, wholeUnits(token, one.decimals), one.address)),
    ]),
    ...(tickets === 0 ? [] : [payout.address, allocator.address].map((account) => ticketCreate(account, tickets))),
  ] satisfies readonly UnsignedTx[]
}

const holding = (address: string, amount: bigint, currency: string): readonly UnsignedTx[] =>
  amount === 0n ? [trustTransaction(address, currency)] : fundingTransactions(address, amount, currency)

const ticketCreate = (Account: string, TicketCount: number): UnsignedTx => ({
  TransactionType: 'TicketCreate',
  Account,
  TicketCount,
})
