import { accessOf, chainTestingOf } from '../sandboxChains.js'
import { SandboxError } from '../sandboxError.js'
import type { RecordedChain, SandboxAccount, SandboxState } from '../state/sandboxState.js'
import { signAndPost } from './signedStep.js'

/** A quote's answer, as far as its user needs it. */
export interface QuoteAnswer {
  readonly steps?: readonly QuoteStep[]
  readonly details?: {
    readonly sender?: string
    readonly currencyIn?: { readonly amount?: string; readonly currency?: { readonly chainId?: number } }
    readonly currencyOut?: { readonly amount?: string }
  }
  readonly message?: string
}

export interface QuoteStep {
  readonly kind?: string
  readonly items: readonly { readonly data: unknown }[]
}

/** What a quote says of its payment, once all of it is known to be there. */
export interface Payable {
  readonly steps: readonly QuoteStep[]
  readonly chain: RecordedChain
  /** Whose keys it is paid with: the quote's sender. */
  readonly account: SandboxAccount
}

/** What became of the steps. */
export interface PaidSteps {
  /** Of the deposit; null where there were only signatures. */
  readonly transactionId: string | null
  /** What the service said to each signature. */
  readonly said: readonly string[]
}

/** @throws SandboxError for an address that is none of its accounts */
export const accountOf = ({ accounts }: SandboxState, address: string, chainId?: number): SandboxAccount => {
  const wanted = address.toLowerCase()
  const found = accounts.find(
    (account) => account.address.toLowerCase() === wanted && (chainId === undefined || account.chainId === chainId),
  )
  if (found !== undefined) return found
  throw new SandboxError(`${address} is no account of this sandbox; those are in sandbox.json, with their keys.`)
}

/** Who pays a quote, on which chain. @throws SandboxError where it is no quote, or none of this sandbox's chains and accounts */
export const payableQuote = (state: SandboxState, { steps, details, message }: QuoteAnswer): Payable => {
  const chainId = details?.currencyIn?.currency?.chainId
  if (steps === undefined || details?.sender === undefined || chainId === undefined)
    throw new SandboxError(`That is no answer of POST /quote${message === undefined ? '.' : `, but: ${message}`}`)
  const chain = state.chains.find(({ id }) => id === chainId)
  if (chain === undefined) throw new SandboxError(`Chain ${chainId} is none of this sandbox.`)
  return { steps, chain, account: accountOf(state, details.sender, chainId) }
}

/** Sends and signs the steps of a quote, as its user would. @throws SandboxError, and Error with the words of a node that refused */
export const paySteps = async (
  { port }: Pick<SandboxState, 'port'>,
  { steps, chain, account: { privateKey } }: Payable,
): Promise<PaidSteps> => {
  const isSigned = ({ kind }: QuoteStep): boolean => kind === 'signature'
  const said: string[] = []
  const signAll = async (signed: readonly QuoteStep[]): Promise<void> => {
    for (const { items } of signed)
      for (const { data } of items) said.push(await signAndPost(`http://127.0.0.1:${port}`, privateKey, data))
  }
  const sent = steps.filter((step) => !isSigned(step))
  const first = steps.findIndex((step) => !isSigned(step))
  // A signature before the deposit says which order the deposit is for.
  const before = first === -1 ? [] : steps.slice(0, first)
  await signAll(before)
  const transactionId = sent.length === 0 ? null : await send(chain, privateKey, sent)
  await signAll(steps.slice(before.length).filter(isSigned))
  return { transactionId, said }
}

const send = async (chain: RecordedChain, privateKey: string, steps: readonly QuoteStep[]): Promise<string> => {
  const { openWallet } = await chainTestingOf(chain)
  const deposit = await openWallet(accessOf(chain), privateKey).prepare(steps)
  return deposit.send()
}
