import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { formatAmount } from '@causeway/core'
import { pause } from '@causeway/core/plugin'
import type { ChainReader } from '@causeway/core/testing'
import type { RunningParts } from '../runningParts.js'
import { accessOf, chainTestingOf } from '../sandboxChains.js'
import { isPayoutFinal } from '../sandboxDatabase.js'
import { SandboxError } from '../sandboxError.js'
import { baseUrlOf, type RecordedChain, type SandboxAccount, type SandboxState } from '../state/sandboxState.js'
import { askQuote, type SandboxQuote } from '../wallets/askQuote.js'
import { payableQuote, paySteps } from '../wallets/payQuote.js'
import { inTime } from './inTime.js'
import { ADVICE, type StepName } from './stepAdvice.js'

const POLL_MS = 200
const RUN = promisify(execFile)
/** An answer whose cause is in the log of the host alone. */
const SERVER_ERROR = /answered 5\d\d/

export interface Transfer {
  readonly running: RunningParts
  readonly state: SandboxState
  readonly origin: RecordedChain
  readonly destination: RecordedChain
  /** The chain of the package that is tried: the origin or the destination. */
  readonly tried: RecordedChain
  /** Time limit of a step. */
  readonly stepMs: number
  /** The host's program, for Node. */
  readonly program: string
}

/** One reading of a step: its result, or what was seen instead. */
type Reading<T> = { readonly done: T } | { readonly seen: string }

/** Moves native currency worth 100 dollars, and prints each step. @throws SandboxError that names the step that failed */
export const moveTransfer = async (transfer: Transfer): Promise<void> => {
  const { running, state, origin, destination } = transfer
  const { print } = running
  print(`From ${origin.name} to ${destination.name}`)
  const [payer, recipient] = [userOf(state, origin), userOf(state, destination)]
  const reader = (await chainTestingOf(destination)).readChain(accessOf(destination))
  const currency = nativeOf(destination).address
  const before = await within(transfer, 'balance', async () => ({
    done: await reader.balance(recipient.address, currency),
  }))
  const asked = { origin, payer, destination, recipient: recipient.address }
  const quote = await within(transfer, 'quote', async () => ({ done: await askQuote(state, asked) }))
  const amount = BigInt(quote.details?.currencyOut?.amount ?? 0)
  print(`  quoted: ${moneyText(quote.details?.currencyIn?.amount, origin)} for ${moneyText(amount, destination)}`)
  const transactionId = await pay(transfer, quote)
  print(`  deposited: transaction ${transactionId}`)
  await follow(transfer, quote.requestId, transactionId)
  await within(
    transfer,
    'arrival',
    () => arrivalOf(reader, { holder: recipient.address, currency, wanted: before + amount }),
    quote.requestId,
  )
  print(`  arrived: the recipient holds ${moneyText(amount, destination)} more`)
  await within(
    transfer,
    'final',
    async () =>
      (await isPayoutFinal(state.databaseUrl, quote.requestId)) ? { done: true } : { seen: 'the payout is not final' },
    quote.requestId,
  )
  print('  final: the payout can no longer leave the chain')
}

const pay = async (transfer: Transfer, quote: SandboxQuote): Promise<string> => {
  try {
    const paying = paySteps(transfer.state, payableQuote(transfer.state, quote))
    const { transactionId } = await inTime(paying, transfer.stepMs)
    if (transactionId !== null) return transactionId
    throw new Error('The quote has no transaction to send.')
  } catch (cause) {
    throw await failure(transfer, 'deposit', { seen: messageOf(cause) })
  }
}

/** From the deposit to its fill. */
const follow = async (transfer: Transfer, requestId: string, transactionId: string): Promise<void> => {
  const { running, origin } = transfer
  const { readChain } = await chainTestingOf(origin)
  const chain = readChain(accessOf(origin))
  await within(
    transfer,
    'recognised',
    async () => {
      const { status } = await statusOf(transfer, requestId)
      if (status !== 'waiting' && status !== 'depositing') return { done: status }
      const included = await chain.succeeded(transactionId).catch(messageOf)
      return { seen: `the status of the request is "${status}"; transaction ${transactionId} in a block: ${included}` }
    },
    requestId,
  )
  running.print('  recognised: the deposit is confirmed')
  const hashes = await within(
    transfer,
    'filled',
    async () => {
      const { status, failReason, details, txHashes = [] } = await statusOf(transfer, requestId)
      if (status === 'success') return { done: txHashes }
      const seen = `the status of the request is "${status}"${txHashes.length === 0 ? '' : `, transactions ${txHashes.join(', ')}`}`
      if (status === 'failure' || status === 'refund')
        throw await failure(transfer, 'filled', { seen: `${seen}, ${failReason}: ${details}`, requestId })
      return { seen }
    },
    requestId,
  )
  running.print(`  filled: transaction ${hashes.join(', ')}`)
}

const arrivalOf = async (
  reader: ChainReader,
  { holder, currency, wanted }: { readonly holder: string; readonly currency: string; readonly wanted: bigint },
): Promise<Reading<bigint>> => {
  const balance = await reader.balance(holder, currency)
  return balance >= wanted ? { done: balance } : { seen: `${holder} holds ${balance}, expected ${wanted}` }
}

/** Reads until a step is done. @throws SandboxError after the time limit, with what was seen last */
const within = async <T>(
  transfer: Transfer,
  step: StepName,
  read: () => Promise<Reading<T>>,
  requestId?: string,
): Promise<T> => {
  const deadline = performance.now() + transfer.stepMs
  let seen = 'no answer came'
  while (performance.now() < deadline && !transfer.running.stopping) {
    try {
      const reading = await inTime(read(), deadline - performance.now(), seen)
      if ('done' in reading) return reading.done
      seen = reading.seen
    } catch (error) {
      if (error instanceof SandboxError) throw error
      seen = messageOf(error)
    }
    await pause(POLL_MS, AbortSignal.timeout(transfer.stepMs))
  }
  if (transfer.running.stopping) throw new SandboxError('The sandbox was stopped.')
  const after = ` (within ${transfer.stepMs / 1000} s)`
  throw await failure(transfer, step, { seen, after, ...(requestId === undefined ? {} : { requestId }) })
}

/** The error of a step that did not come: what to check, what was seen last, and how the service explains the request. */
const failure = async (
  transfer: Transfer,
  step: StepName,
  { seen, after = '', requestId }: { readonly seen: string; readonly after?: string; readonly requestId?: string },
): Promise<SandboxError> => {
  const { origin, destination, tried } = transfer
  const { missing, origin: atOrigin, destination: atDestination } = ADVICE[step]
  const advice = tried === origin ? atOrigin : atDestination
  const lines = [
    `From ${origin.name} to ${destination.name}: ${missing}${after}.`,
    `Last seen: ${seen}`,
    ...(SERVER_ERROR.test(seen) ? ['The last warnings of the host, below, show the cause.'] : []),
    `Check: ${advice}`,
    ...(requestId === undefined ? [] : await explain(transfer, requestId)),
  ]
  return new SandboxError(lines.join('\n'))
}

/** The output of `causeway explain`, which shows the deposits and payouts of the request. */
const explain = async ({ program, running: { paths } }: Transfer, requestId: string): Promise<readonly string[]> => {
  const args = [program, 'explain', requestId, '--config', paths.config]
  const { stdout } = await RUN(process.execPath, args, { cwd: paths.home }).catch(() => ({ stdout: '' }))
  const text = stdout.trim()
  return text === '' ? [] : ['causeway explain:', ...text.split('\n').map((line) => `  ${line}`)]
}

interface StatusAnswer {
  readonly status: string
  readonly failReason?: string
  readonly details?: string | null
  readonly txHashes?: readonly string[]
}

const statusOf = async ({ state: { port } }: Transfer, requestId: string): Promise<StatusAnswer> => {
  const response = await fetch(`${baseUrlOf(port)}/intents/status/v3?requestId=${requestId}`)
  if (!response.ok) throw new Error(`GET /intents/status/v3 answered ${response.status}: ${await response.text()}`)
  // CAST: the shape is the route's own.
  return (await response.json()) as StatusAnswer
}

const userOf = ({ accounts }: SandboxState, { id, name }: RecordedChain): SandboxAccount => {
  const account = accounts.find(({ chainId }) => chainId === id)
  if (account === undefined) throw new SandboxError(`The sandbox has no account on ${name}.`)
  return account
}

const nativeOf = ({ currencies: [native], name }: RecordedChain) => {
  if (native === undefined)
    throw new SandboxError(`sandbox.deploy of ${name} returned no currency; the native one comes first.`)
  return native
}

const moneyText = (amount: string | bigint | undefined, chain: RecordedChain): string => {
  const { decimals, symbol } = nativeOf(chain)
  return `${formatAmount(BigInt(amount ?? 0), decimals)} ${symbol}`
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
