import { afterAll, beforeAll } from 'vitest'
import type { Quote } from '../transfers/apiClient.js'
import type { UserRequest } from '../transfers/userClient.js'
import type { LedgerAccount, ValidatedTransaction } from './ledgerAccount.js'
import { DROPS, EVM_ID, XRP_ID, type XrpNetwork } from './xrpNetwork.js'
import { paymentsOf, startXrpWorld, type XrpWorld } from './xrpWorld.js'

export let world: XrpWorld
export let network: XrpNetwork
export let client: XrpWorld['client']
export let pool: XrpWorld['pool']
export const REQUIRE_DEST = 1
export const GLOBAL_FREEZE = 7
export const DEPOSIT_AUTH = 9
export const set = (account: LedgerAccount, SetFlag: number) => account.send({ TransactionType: 'AccountSet', SetFlag })

export const clear = (account: LedgerAccount, ClearFlag: number) =>
  account.send({ TransactionType: 'AccountSet', ClearFlag })

/** XRP of the EVM chain to the ledger, whole units. */
export const toLedger = (xrp: bigint, recipient: string, more: Partial<UserRequest> = {}): UserRequest => ({
  ...{ from: EVM_ID, to: XRP_ID, symbol: 'XRP', amount: xrp * DROPS, recipient, ...more },
})

/** XRP of the ledger to the EVM chain. */
export const fromLedger = (xrp: bigint, user: number, more: Partial<UserRequest> = {}): UserRequest => ({
  ...{ from: XRP_ID, to: EVM_ID, symbol: 'XRP', amount: xrp * DROPS, user, ...more },
})

export const userOf = (at: number): LedgerAccount => {
  const user = network.users[at]
  if (user === undefined) throw new Error(`no user ${at}`)
  return user
}

/** Pays a quote by a plain wallet and waits for its fill. */
export const fill = async (request: UserRequest): Promise<Quote> => {
  const quote = await client.quote(request)
  await client.pay(quote, request)
  await client.waitFor(quote.requestId, ['success'])
  return quote
}

export const idOf = ({ protocol }: Quote): string => protocol.v2.orderId

export const paidBy = async (quote: Quote): Promise<ValidatedTransaction> => {
  const { paid } = await paymentsOf(network, idOf(quote))
  const [payment, ...others] = paid
  if (payment === undefined || others.length > 0) throw new Error(`${paid.length} payments, not one`)
  return payment
}

export const outOf = ({ details }: Quote): bigint => BigInt(details.currencyOut.amount)
export const bytesOf = (id: string): Buffer => Buffer.from(id.slice(2), 'hex')

/** Starts a host over the XRP Ledger and an EVM chain before the tests of a file, and stops it afterwards. */
export const useXrp = (): void => {
  beforeAll(async () => {
    world = await startXrpWorld()
    ;({ network, client, pool } = world)
  })
  afterAll(() => world?.close())
}
