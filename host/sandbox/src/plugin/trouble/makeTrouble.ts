import { randomBytes } from 'node:crypto'
import { bytesToHex } from '@causeway/core'
import { HttpError } from '@causeway/core/plugin'
import type { RecordedChain, SandboxAccount, SandboxState } from '../../state/sandboxState.js'
import { askQuote, type SandboxQuote } from '../../wallets/askQuote.js'
import type { QuoteStep } from '../../wallets/payQuote.js'
import type { Payer } from '../payer.js'
import { ClosableWallet, hasContracts } from './closedWallet.js'

export const TROUBLES = ['unknown-order', 'underpay', 'closed-recipient'] as const
export type Trouble = (typeof TROUBLES)[number]

/** A payment that is stuck, or is about to be. */
export interface MadeTrouble {
  readonly transactionId: string | null
  readonly chainId: number
  /** Who paid. */
  readonly account: string
  /** Null where the deposit belongs to no quote. */
  readonly requestId: string | null
}

interface Place {
  readonly state: SandboxState
  readonly payer: Payer
  /** One that has contracts. */
  readonly here: RecordedChain
  readonly there: RecordedChain
}

/** @throws HttpError 409 where the chosen chains are not fit for it */
const placeOf = (state: SandboxState, payer: Payer): Place => {
  const here = state.chains.find(hasContracts)
  const others = state.chains.filter((chain) => chain !== here)
  const there = others.find(hasContracts) ?? others[0]
  if (here === undefined || there === undefined)
    throw new HttpError(
      409,
      'No chain of this sandbox has contracts to make trouble with; start it with harbor or lagoon',
    )
  return { state, payer, here, there }
}

const userOf = ({ accounts }: SandboxState, { id, name }: RecordedChain): SandboxAccount => {
  const account = accounts.find(({ chainId }) => chainId === id)
  if (account === undefined) throw new HttpError(409, `The sandbox has no account on ${name}`)
  return account
}

const paid = async (
  { state, payer }: Place,
  chain: RecordedChain,
  steps: readonly QuoteStep[],
): Promise<Omit<MadeTrouble, 'requestId'>> => {
  const account = userOf(state, chain)
  const { transactionId } = await payer.pay(state, { steps, chain, account })
  return { transactionId, chainId: chain.id, account: account.address }
}

/** Calldata with another order id than the quote's. */
const withOtherOrder = ({ steps, orderId }: SandboxQuote): readonly QuoteStep[] => {
  const other = bytesToHex(randomBytes(32)).slice(2)
  const text = JSON.stringify(steps)
  const changed = text.replaceAll(orderId.slice(2).toLowerCase(), other)
  if (orderId === '' || changed === text) throw new HttpError(409, 'The deposit does not name its order in the open')
  // CAST: the text is of such steps.
  return JSON.parse(changed) as readonly QuoteStep[]
}

/** Steps whose transactions bring half of what they should. */
const withHalf = (steps: readonly QuoteStep[]): readonly QuoteStep[] =>
  steps.map((step) => ({
    ...step,
    items: step.items.map((item) => {
      const value: unknown = Reflect.get(Object(item.data), 'value')
      return { ...item, data: { ...Object(item.data), value: (BigInt(String(value)) / 2n).toString() } }
    }),
  }))

/** A wallet on the chain that takes money now; `close` it before it is to be paid. */
const openWallet = (
  { state, payer }: Place,
  chain: RecordedChain,
): Promise<{ readonly address: string; close(): Promise<void> }> => {
  const account = userOf(state, chain)
  const turn = `${chain.id}:${account.address}`
  return payer.inTurn(turn, async () => {
    const wallet = await ClosableWallet.create(chain, account)
    return { address: wallet.address, close: () => payer.inTurn(turn, () => wallet.close()) }
  })
}

const MAKERS: Readonly<Record<Trouble, (place: Place) => Promise<MadeTrouble>>> = {
  'unknown-order': async (place) => {
    const { state, here, there } = place
    const recipient = userOf(state, there).address
    const quote = await askQuote(state, { origin: here, payer: userOf(state, here), destination: there, recipient })
    return { ...(await paid(place, here, withOtherOrder(quote))), requestId: null }
  },
  underpay: async (place) => {
    const { state, here, there } = place
    const wallet = await openWallet(place, here)
    const { requestId, steps } = await askQuote(state, {
      origin: here,
      payer: userOf(state, here),
      destination: there,
      recipient: userOf(state, there).address,
      more: { useDepositAddress: true, strict: true, refundTo: wallet.address },
    })
    await wallet.close()
    return { ...(await paid(place, here, withHalf(steps))), requestId }
  },
  'closed-recipient': async (place) => {
    const { state, here, there } = place
    const wallet = await openWallet(place, here)
    const { requestId, steps } = await askQuote(state, {
      origin: there,
      payer: userOf(state, there),
      destination: here,
      recipient: wallet.address,
      more: { useDepositAddress: true },
    })
    await wallet.close()
    return { ...(await paid(place, there, steps)), requestId }
  },
}

/** Makes a payment, with real money of the sandbox, that ends with an operator. @throws HttpError */
export const makeTrouble = (state: SandboxState, payer: Payer, kind: Trouble): Promise<MadeTrouble> =>
  MAKERS[kind](placeOf(state, payer))
