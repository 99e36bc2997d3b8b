import { revertingRecipientAbi, revertingRecipientBytecode } from '@causeway/contracts-abi'
import { coreMigrations } from '@causeway/core/host'
import { createTestDatabase, type TestDatabase } from '@causeway/core/testing'
import { encodeFunctionData, type Hex, parseGwei } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect } from 'vitest'
import { balanceOnChain } from '../harness/database/books.js'
import { type Deployment, startDeployment } from '../harness/host/deployment.js'
import { ether, type LocalNetwork, NATIVE, startLocalNetwork, userOf } from '../harness/localNetwork.js'
import { executeQuote, freshAddress, type QuoteAnswer, quoteTransfer, waitForStatus } from '../harness/transfer.js'
import { until } from '../harness/until.js'

const ENDS = ['success', 'refund', 'failure'] as const
/** As the deployment below is told. */
export const TOLERANCE_BPS = 5_000n
const PAUSE_MS = 600_000
const CHEAP = '0x00'
/** Runs 15,000 times around before it accepts: PUSH3, JUMPDEST, PUSH1 1, SWAP1, SUB, DUP1, PUSH1 4, JUMPI, STOP. */
export const DEAR = '0x62003a985b600190038060045700'
export const MODE = { accept: 0, burnGas: 3 } as const

export let network: LocalNetwork
let database: TestDatabase
export let deployment: Deployment

export const destination = () => network.chains[1]

export const setCode = (address: string, code: string) => destination().chain.rpc('anvil_setCode', [address, code])

export const quoteTo = (
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

export const deposit = (user: number, quote: QuoteAnswer) =>
  executeQuote(network.chains[0].chain, userOf(network, user), quote)

export const ended = (quote: QuoteAnswer) => waitForStatus(deployment.requests, quote.requestId, ENDS)

export const payoutOf = async ({ requestId }: QuoteAnswer, purpose: 'fill' | 'refund') => {
  const { rows } = await deployment.pool.query<{ amount: string; fees: string; state: string; sent: boolean }>(
    `select amount::text, fees::text, state, first_broadcast_at is not null as sent from payouts where purpose = $2 and request_id = $1`,
    [Buffer.from(requestId.slice(2), 'hex'), purpose],
  )
  return rows[0]
}

const solverHolds = () => balanceOnChain(destination(), network.roles.solver.address, NATIVE)

/** A recipient that takes money until its owner says otherwise. */
export const deployBurner = () => destination().chain.deploy(revertingRecipientAbi, revertingRecipientBytecode)

export const setMode = (mode: number) =>
  encodeFunctionData({ abi: revertingRecipientAbi, functionName: 'setMode', args: [mode, 0n] })

/** Deposits, waits until the fill is on its way, and has the recipient burn all gas by a transaction put ahead of it. */
export const burnAhead = async (user: number, quote: QuoteAnswer, burner: string): Promise<void> => {
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

/** An order to a recipient or of a call that is dear by the time of its fill goes back, and costs the solver no gas on its way. */
export const expectRefundUnsent = async (ask: (burner: string) => Promise<QuoteAnswer>): Promise<void> => {
  const burner = freshAddress()
  await setCode(burner, CHEAP)
  const quote = await ask(burner)
  await setCode(burner, DEAR)
  const before = await solverHolds()
  await deposit(0, quote)
  expect(await ended(quote)).toMatchObject({ status: 'refund', failReason: 'QUOTED_GAS_LIMIT_EXCEEDED' })
  expect(await payoutOf(quote, 'fill')).toBeUndefined()
  expect(await solverHolds()).toBe(before)
}

/** Starts two chains and a host that bears half of what a quote charged before the tests of a file, and stops them afterwards. */
export const useGasBurner = (): void => {
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
}
