import type { Json } from '@causeway/core'
import type { SignedAttempt, TxRef } from '@causeway/core/chain'
import { type Alteration, adapterWith, laneWith, pagesWith, reorganise } from '@causeway/core/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { depositNative } from '../harness/depositing.js'
import { ether, NATIVE, userOf } from '../harness/localNetwork.js'
import { quoteTransfer, waitForStatus } from '../harness/transfer.js'
import { until } from '../harness/until.js'
import type { LedgerTransfer } from './ledgerChain/src/transaction.js'
import {
  COIN,
  freshAddress,
  LEDGER_ID,
  type LedgerDeployment,
  LedgerWallet,
  startLedgerDeployment,
} from './ledgerDeployment.js'

/** With what each question came, by transaction id. */
const asked = {
  recheck: new Map<string, Json[]>(),
  states: new Map<string, Json[]>(),
  payoutVerdict: new Map<string, Json[]>(),
}
const note = (question: keyof typeof asked, id: string, locator: Json | undefined): void => {
  asked[question].set(id, [...(asked[question].get(id) ?? []), locator ?? null])
}
/** While true, a node takes bytes and loses them. */
let losing = false

const placed = (block: { readonly height: bigint } | null) => ({ height: Number(block?.height) })
const sequenceOf = ({ transaction }: Pick<SignedAttempt, 'transaction'>): Json => ({
  // CAST: what the lane of a ledger prepares.
  sequence: (transaction as unknown as LedgerTransfer).sequence,
})

const paying: Alteration = laneWith((real) => ({
  sign: async (prepared, signer) => ({ ...(await real.sign(prepared, signer)), locator: sequenceOf(prepared) }),
  broadcast: async (attempts) =>
    losing ? attempts.map(() => ({ outcome: 'known' as const })) : real.broadcast(attempts),
  states: async (attempts) => {
    for (const { txId, locator } of attempts) note('states', txId, locator)
    const states = await real.states(attempts)
    return states.map((state) => (state.block === null ? state : { ...state, locator: placed(state.block) }))
  },
  payoutVerdict: async (guards, txIds, options) => {
    for (const id of txIds) note('payoutVerdict', id, options?.locators?.[id])
    return real.payoutVerdict(guards, txIds, options)
  },
}))
const watching: Alteration = pagesWith((page) => ({
  ...page,
  deposits: page.deposits.map((event) => ({ ...event, tx: { ...event.tx, locator: placed(event.block) } })),
}))
const rechecking: Alteration = adapterWith((real) => ({
  recheckDeposits: async (deposits) => {
    for (const { tx } of deposits) note('recheck', tx.id, tx.locator)
    return real.recheckDeposits(deposits)
  },
}))

let deployment: LedgerDeployment

beforeAll(async () => {
  deployment = await startLedgerDeployment({ alter: (real) => rechecking(watching(paying(real))) })
})
afterAll(() => deployment?.close())

const payOnLedger = async (user: number) => {
  const [origin] = deployment.network.chains
  const quote = await quoteTransfer(deployment.engine, {
    user: userOf(deployment.network, user),
    from: origin.chain.chainId,
    to: LEDGER_ID,
    originCurrency: NATIVE,
    destinationCurrency: COIN,
    amount: ether('0.01'),
    recipient: freshAddress(),
  })
  await depositNative(origin, userOf(deployment.network, user), quote.protocol.v2.orderId, ether('0.01'))
  return quote.requestId
}

const attemptsOf = async (requestId: string) => {
  const { rows } = await deployment.pool.query<{ txId: string; state: string; height: number; locator: string }>(
    `select a.tx_id as "txId", p.state, a.block_height::int as height, a.locator from payouts p join payout_attempts a on a.payout_id = p.id
     where p.request_id = decode($1, 'hex') order by a.generation`,
    [requestId.slice(2)],
  )
  return rows.map((row) => ({ ...row, locator: JSON.parse(row.locator) }))
}

/** The locators that came with a transaction's questions, each once, in order. */
const heard = (question: keyof typeof asked, id = ''): Json[] =>
  (asked[question].get(id) ?? []).filter((locator, at, all) => JSON.stringify(locator) !== JSON.stringify(all[at - 1]))

const found = async (id: string): Promise<TxRef['locator']> =>
  (await deployment.requests.findByTransaction(LEDGER_ID, id))?.locator

describe('what a chain needs to find a transaction comes with every question about it (chains.md, ChainAdapter implications 1)', () => {
  it('about a payment: what is known before it is sent, then what the chain has told', async () => {
    const requestId = await payOnLedger(0)
    await waitForStatus(deployment.requests, requestId, ['success'])
    const [paid] = await until('the payout to be final', async () => {
      deployment.ledger.engine.advance(1)
      const attempts = await attemptsOf(requestId)
      return attempts[0]?.state === 'final' ? attempts : null
    })
    const shown = { height: paid?.height }
    expect(paid?.locator).toEqual(shown)
    expect(await found(paid?.txId ?? '')).toEqual(shown)
    expect(heard('states', paid?.txId)).toEqual([{ sequence: expect.any(Number) }, shown])
  })

  it('about a payment that never comes, until it is proven dead', async () => {
    losing = true
    const requestId = await payOnLedger(1)
    await waitForStatus(deployment.requests, requestId, ['submitted'])
    deployment.ledger.engine.advance(21)
    losing = false
    const [lost] = await until('another transaction', async () => {
      deployment.ledger.engine.advance(1)
      const attempts = await attemptsOf(requestId)
      return attempts.length > 1 ? attempts : null
    })
    await waitForStatus(deployment.requests, requestId, ['success'])
    expect(heard('payoutVerdict', lost?.txId)).toEqual([lost?.locator])
    expect(lost?.locator).toEqual({ sequence: expect.any(Number) })
  })

  it('about a deposit whose block may have left the chain', async () => {
    const { engine } = deployment.ledger
    const wallet = new LedgerWallet(engine)
    engine.fund(wallet.address, 100_000_000n, COIN)
    engine.advance(5)
    const quote = await quoteTransfer(deployment.engine, {
      // CAST: of a user only the address is read.
      user: { address: wallet.address } as ReturnType<typeof userOf>,
      from: LEDGER_ID,
      to: deployment.network.chains[0].chain.chainId,
      originCurrency: COIN,
      destinationCurrency: NATIVE,
      amount: 20_000_000n,
      recipient: userOf(deployment.network, 5).address,
    })
    // CAST: what buildDeposit of the ledger gives.
    const id = wallet.send(quote.steps[0]?.items[0]?.data as unknown as LedgerTransfer)
    const { height } = engine.head
    await waitForStatus(deployment.requests, quote.requestId, ['success'])
    expect(await found(id)).toEqual({ height })
    engine.advance(1)
    await until('the next block to be read', async () => {
      const read = await deployment.pool.query('select from chain_cursors where chain_id = $1 and height > $2', [
        LEDGER_ID,
        height,
      ])
      return read.rowCount === 1 ? true : null
    })
    // The deposit stays where it is.
    await reorganise(engine, 1)
    await until('the deposit to be looked up', async () => (heard('recheck', id).length > 0 ? true : null))
    expect(heard('recheck', id)).toEqual([{ height }])
  })
})
