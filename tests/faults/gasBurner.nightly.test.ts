import { parseTerms } from '@causeway/core/plugin'
import { type Hex, parseGwei, toHex } from 'viem'
import { describe, expect, it } from 'vitest'
import { findDiscrepancies, paymentsByOrder, waitForQuiet } from '../harness/database/books.js'
import { ether, userOf } from '../harness/localNetwork.js'
import { freshAddress, type QuoteAnswer, receiptOf } from '../harness/transfer.js'
import { until } from '../harness/until.js'
import {
  burnAhead,
  DEAR,
  deployBurner,
  deployment,
  deposit,
  destination,
  ended,
  expectRefundUnsent,
  MODE,
  network,
  payoutOf,
  quoteTo,
  setCode,
  setMode,
  TOLERANCE_BPS,
  useGasBurner,
} from './gasBurner.test.support.js'

useGasBurner()

/** Cost of the fill's transaction in the quote; ether on both sides. */
const chargeOf = async ({ requestId }: QuoteAnswer): Promise<bigint> => {
  const { rows } = await deployment.pool.query<{ terms: string }>('select terms from quotes where id = $1', [
    Buffer.from(requestId.slice(2), 'hex'),
  ])
  return parseTerms(rows[0]?.terms ?? '{}').fillCost
}

/** Network fee of the fill that reverted. */
const burntBy = async ({ requestId }: QuoteAnswer): Promise<bigint> => {
  const { rows } = await deployment.pool.query<{ fee: string }>(
    `select a.fee::text from payout_attempts a join payouts p on p.id = a.payout_id
     where p.request_id = $1 and p.purpose = 'fill' and a.state = 'reverted'`,
    [Buffer.from(requestId.slice(2), 'hex')],
  )
  return BigInt(rows[0]?.fee ?? '0')
}

describe('F124: nobody has the solver pay for gas that its order was not charged', () => {
  it('a call cheap at the quote and dear at the fill is refunded before anything is sent', () =>
    expectRefundUnsent((to) => quoteTo(0, freshAddress(), { txs: [{ to, value: '1000', data: '0x' }] })))

  it('a recipient that is dear from the start is charged for it, and filled', async () => {
    const burner = freshAddress()
    await setCode(burner, DEAR)
    const quote = await quoteTo(0, burner)
    await deposit(0, quote)
    expect(await ended(quote)).toMatchObject({ status: 'success' })
  })

  it('a fee that rises within the tolerance is borne, one beyond it is refunded', async () => {
    const { chain } = destination()
    const raised = async (by: bigint) => {
      const quote = await quoteTo(0, freshAddress())
      // Blocks that nobody needs would bring the fee down again.
      await chain.setIntervalMining(600)
      const { baseFeePerGas } = await chain.rpc<{ baseFeePerGas: Hex }>('eth_getBlockByNumber', ['latest', false])
      await chain.rpc('anvil_setNextBlockBaseFeePerGas', [toHex(BigInt(baseFeePerGas) + by)])
      await chain.mine(1)
      await deposit(0, quote)
      await until(
        'the decision',
        async () => (await payoutOf(quote, 'fill'))?.sent || (await payoutOf(quote, 'refund')),
      )
      await chain.setIntervalMining(1)
      return ended(quote)
    }
    // The tip alone is 1 gwei.
    expect(await raised(parseGwei('10'))).toMatchObject({ status: 'refund', failReason: 'QUOTED_GAS_LIMIT_EXCEEDED' })
    expect(await raised(parseGwei('0.1'))).toMatchObject({ status: 'success' })
  })

  it('gas that a revert put ahead of the fill burns is taken from the refund, and is within charge and tolerance', async () => {
    const burner = await deployBurner()
    const quote = await quoteTo(1, burner)
    const charged = await chargeOf(quote)
    await burnAhead(1, quote, burner)
    expect(await ended(quote)).toMatchObject({ status: 'refund', failReason: 'TRANSACTION_REVERTED' })
    const burnt = await burntBy(quote)
    expect(burnt).toBeGreaterThan(0n)
    expect(burnt).toBeLessThanOrEqual(charged + (charged * TOLERANCE_BPS) / 10_000n)
    const refund = await payoutOf(quote, 'refund')
    expect(BigInt(refund?.fees ?? '0')).toBeGreaterThan(burnt)
    expect(BigInt(refund?.amount ?? '0') + BigInt(refund?.fees ?? '0')).toBe(ether('0.02'))
  })

  it('who burnt gas is not filled again for a while: the deposit goes back without a fill', async () => {
    const burner = await deployBurner()
    const first = await quoteTo(3, burner)
    await burnAhead(3, first, burner)
    await ended(first)
    const { chain } = destination()
    await receiptOf(chain, await chain.send(userOf(network, 3), { to: burner, data: setMode(MODE.accept) }))
    const again = await quoteTo(3, burner)
    await deposit(3, again)
    expect(await ended(again)).toMatchObject({ status: 'refund', failReason: 'TRANSACTION_REVERTED' })
    expect(await payoutOf(again, 'fill')).toBeUndefined()
    // The operator alone pays for it.
    const other = await quoteTo(3, freshAddress())
    await deposit(3, other)
    expect(await ended(other)).toMatchObject({ status: 'success' })
  })

  it('leaves books that agree with both chains, and no order paid twice', async () => {
    await waitForQuiet(deployment.pool)
    expect(await findDiscrepancies(deployment.pool, network)).toEqual([])
    const paid = await paymentsByOrder(destination(), network.roles.solver.address)
    expect([...paid.values()].every(({ fills }: { fills: number }) => fills <= 1)).toBe(true)
  })
})
