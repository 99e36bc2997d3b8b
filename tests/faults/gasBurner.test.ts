import { revertingRecipientAbi, revertingRecipientBytecode } from '@causeway/contracts-abi'
import { coreMigrations } from '@causeway/core/host'
import { parseTerms } from '@causeway/core/plugin'
import { createTestDatabase, type TestDatabase } from '@causeway/core/testing'
import { encodeFunctionData, type Hex, parseGwei, toHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { balanceOnChain, findDiscrepancies, paymentsByOrder, waitForQuiet } from '../harness/database/books.js'
import { type Deployment, startDeployment } from '../harness/host/deployment.js'
import { ether, type LocalNetwork, NATIVE, startLocalNetwork, userOf } from '../harness/localNetwork.js'
import {
  executeQuote,
  freshAddress,
  type QuoteAnswer,
  quoteTransfer,
  receiptOf,
  waitForStatus,
} from '../harness/transfer.js'
import { until } from '../harness/until.js'

const ENDS = ['success', 'refund', 'failure'] as const
/** As the deployment below is told. */
const TOLERANCE_BPS = 5_000n
const PAUSE_MS = 600_000
const CHEAP = '0x00'
/** Runs 15,000 times around before it accepts: PUSH3, JUMPDEST, PUSH1 1, SWAP1, SUB, DUP1, PUSH1 4, JUMPI, STOP. */
const DEAR = '0x62003a985b600190038060045700'
const MODE = { accept: 0, burnGas: 3 } as const

let network: LocalNetwork
let database: TestDatabase
let deployment: Deployment

beforeAll(async () => {
  network = await startLocalNetwork()
  database = await createTestDatabase({ packages: [{ name: '@causeway/core', migrations: coreMigrations }] })
  deployment = await startDeployment({
    network,
    databaseUrl: database.url,
    solver: { gasToleranceBps: Number(TOLERANCE_BPS), gasToleranceUsd: '0', burnPauseMs: PAUSE_MS },
  })
})
afterAll(async () => {
  await deployment?.kill()
  await database?.drop()
  await network?.close()
})

const destination = () => network.chains[1]

const setCode = (address: string, code: string) => destination().chain.rpc('anvil_setCode', [address, code])

const quoteTo = (
  user: number,
  recipient: string,
  more: Readonly<Record<string, unknown>> = {},
  amount = ether('0.02'),
  tradeType: 'EXACT_INPUT' | 'EXACT_OUTPUT' = 'EXACT_INPUT',
) =>
  quoteTransfer(deployment.engine, {
    user: userOf(network, user),
    from: network.chains[0].chain.chainId,
    to: network.chains[1].chain.chainId,
    originCurrency: NATIVE,
    destinationCurrency: NATIVE,
    amount,
    tradeType,
    recipient,
    more,
  })

const deposit = (user: number, quote: QuoteAnswer) =>
  executeQuote(network.chains[0].chain, userOf(network, user), quote)

const ended = (quote: QuoteAnswer) => waitForStatus(deployment.requests, quote.requestId, ENDS)

const payoutOf = async ({ requestId }: QuoteAnswer, purpose: 'fill' | 'refund') => {
  const { rows } = await deployment.pool.query<{ amount: string; fees: string; state: string; sent: boolean }>(
    `select amount::text, fees::text, state, first_broadcast_at is not null as sent from payouts where purpose = $2 and request_id = $1`,
    [Buffer.from(requestId.slice(2), 'hex'), purpose],
  )
  return rows[0]
}

/** What the quote counted for the fill's transaction; ether on both sides. */
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

const solverHolds = () => balanceOnChain(destination(), network.roles.solver.address, NATIVE)

/** A recipient that takes money until its owner says otherwise. */
const deployBurner = () => destination().chain.deploy(revertingRecipientAbi, revertingRecipientBytecode)

const setMode = (mode: number) =>
  encodeFunctionData({ abi: revertingRecipientAbi, functionName: 'setMode', args: [mode, 0n] })

/** Deposits, waits until the fill is on its way, and has the recipient burn all gas by a transaction put ahead of it. */
const burnAhead = async (user: number, quote: QuoteAnswer, burner: string): Promise<void> => {
  const { chain } = destination()
  await chain.setIntervalMining(0)
  await chain.setAutomine(false)
  await deposit(user, quote)
  await until('the fill to be sent', async () => ((await payoutOf(quote, 'fill'))?.sent ? true : null))
  const account = privateKeyToAccount(userOf(network, user).privateKey)
  const nonce = Number(await chain.rpc<Hex>('eth_getTransactionCount', [account.address, 'latest']))
  const call = { to: burner as Hex, data: setMode(MODE.burnGas), gas: 100_000n, nonce, chainId: chain.chainId }
  const fees = { maxFeePerGas: parseGwei('100'), maxPriorityFeePerGas: parseGwei('50') }
  await chain.rpc('eth_sendRawTransaction', [await account.signTransaction({ ...call, ...fees })])
  await chain.mine(1)
  await chain.setAutomine(true)
  await chain.setIntervalMining(1)
}

describe('F124: nobody has the solver pay for gas that its order was not charged', () => {
  it.each([
    { what: 'recipient', ask: (burner: string) => quoteTo(0, burner) },
    {
      what: 'call',
      ask: (to: string) => quoteTo(0, freshAddress(), { txs: [{ to, value: '1000', data: '0x' }] }),
    },
  ])('a $what cheap at the quote and dear at the fill is refunded before anything is sent', async ({ ask }) => {
    const burner = freshAddress()
    await setCode(burner, CHEAP)
    const quote = await ask(burner)
    await setCode(burner, DEAR)
    const before = await solverHolds()
    await deposit(0, quote)
    expect(await ended(quote)).toMatchObject({ status: 'refund', failReason: 'QUOTED_GAS_LIMIT_EXCEEDED' })
    expect(await payoutOf(quote, 'fill')).toBeUndefined()
    expect(await solverHolds()).toBe(before)
  })

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

  it('where the gas eats the whole deposit, nothing is sent back by itself: it is parked', async () => {
    const burner = await deployBurner()
    const quote = await quoteTo(2, burner, {}, 1_000n, 'EXACT_OUTPUT')
    await burnAhead(2, quote, burner)
    expect(await ended(quote)).toMatchObject({ status: 'failure', refundFailReason: 'AMOUNT_TOO_LOW_TO_REFUND' })
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
    // Nobody else pays for it.
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
