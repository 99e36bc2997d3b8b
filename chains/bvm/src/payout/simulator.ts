import { ServiceError } from '@causeway/core'
import type { Payout, Simulation } from '@causeway/core/chain'
import type { PayoutBuilder } from './payoutBuilder.js'
import { type PayoutTransaction, payoutSize } from './payoutTransaction.js'

type Failure = Extract<Simulation, { ok: false }>

/**
 * Builds the payment as the lane would; Bitcoin runs nothing (chains.md bvm 6). `gas` is its size in virtual bytes. Change that
 * waits for its block counts: the payment then waits for it in its lane.
 */
export const simulatePayout = async (payout: Payout, builder: PayoutBuilder): Promise<Simulation> => {
  try {
    const funds = await builder.read([payout])
    const built = buildWith(payout, builder, funds)
    return { ok: true, gas: payoutSize(built), block: funds.tip }
  } catch (error) {
    if (!ServiceError.is(error)) throw error
    return {
      ...failureOf(error, payout),
      ...(error.code === 'AMOUNT_TOO_LOW' ? { leastAmount: builder.leastPayment(payout) } : {}),
    }
  }
}

const buildWith = (
  payout: Payout,
  builder: PayoutBuilder,
  funds: Awaited<ReturnType<PayoutBuilder['read']>>,
): PayoutTransaction => {
  try {
    return builder.build([payout], funds)
  } catch (error) {
    if (funds.waiting.length === 0 || !ServiceError.is(error) || error.code !== 'INSUFFICIENT_FUNDS') throw error
    return builder.build([payout], { ...funds, coins: [...funds.coins, ...funds.waiting] })
  }
}

const KINDS: Readonly<Partial<Record<string, Failure['kind']>>> = {
  INSUFFICIENT_FUNDS: 'insufficient-funds',
  AMOUNT_TOO_LOW: 'recipient-cannot-receive',
  INVALID_ADDRESS: 'recipient-cannot-receive',
  INVALID_REQUEST: 'revert',
}

const failureOf = ({ code, message }: ServiceError, { from, to, money }: Payout): Failure => ({
  ok: false,
  kind: KINDS[code] ?? 'transient',
  message,
  call: { from, to: to.address, data: '0x', value: `${money.amount}` },
})
