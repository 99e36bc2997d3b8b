import { readFileSync } from 'node:fs'
import { chainTestingOf } from '../sandboxChains.js'
import { SandboxError } from '../sandboxError.js'
import { sandboxPaths } from '../state/sandboxPaths.js'
import { readState, type SandboxAccount, type SandboxState } from '../state/sandboxState.js'
import { signAndPost } from './signedStep.js'
import { signText } from './walletSignature.js'

export interface SandboxCommandOptions {
  /** The folder of the sandbox. */
  readonly home: string
  print(line: string): void
}

/** A quote's answer, as far as its user needs it. */
interface Answer {
  readonly steps?: readonly QuoteStep[]
  readonly details?: {
    readonly sender?: string
    readonly currencyIn?: { readonly currency?: { readonly chainId?: number } }
  }
  readonly message?: string
}

interface QuoteStep {
  readonly kind?: string
  readonly items: readonly { readonly data: unknown }[]
}

const openState = (home: string): SandboxState => {
  const state = readState(sandboxPaths(home))
  if (state === null) throw new SandboxError('There is no sandbox here. Start one with: causeway start')
  return state
}

const accountOf = ({ accounts }: SandboxState, address: string, chainId?: number): SandboxAccount => {
  const wanted = address.toLowerCase()
  const found = accounts.find(
    (account) => account.address.toLowerCase() === wanted && (chainId === undefined || account.chainId === chainId),
  )
  if (found !== undefined) return found
  throw new SandboxError(`${address} is no account of this sandbox; those are in sandbox.json, with their keys.`)
}

/** Prints what the wallet of an account says by its signature (EIP-191). @throws SandboxError for an account that is none, or not of an EVM chain */
export const signWithAccount = async (
  { home, print }: SandboxCommandOptions,
  { address, message }: { readonly address: string; readonly message: string },
): Promise<void> => {
  const account = accountOf(openState(home), address)
  if (!/^0x[0-9a-f]{64}$/i.test(account.privateKey))
    throw new SandboxError(`${address} is not an account of an EVM chain, and only those sign messages.`)
  print(await signText(account.privateKey, message))
}

/** Pays by the steps of a quote, which stands in a file (0: what comes in), as its user would, or signs for it; prints the id of the deposit's transaction, or what the service said to the signature. @throws SandboxError */
export const payQuote = async ({ home, print }: SandboxCommandOptions, file: string | 0): Promise<void> => {
  const state = openState(home)
  const { steps, details, message } = readAnswer(file)
  const chainId = details?.currencyIn?.currency?.chainId
  if (steps === undefined || details?.sender === undefined || chainId === undefined)
    throw new SandboxError(`That is no answer of POST /quote${message === undefined ? '.' : `, but: ${message}`}`)
  const chain = state.chains.find(({ id }) => id === chainId)
  if (chain === undefined) throw new SandboxError(`Chain ${chainId} is none of this sandbox.`)
  const { privateKey } = accountOf(state, details.sender, chainId)
  const sent = steps.filter(({ kind }) => kind !== 'signature')
  if (sent.length > 0) {
    const { openWallet } = await chainTestingOf(chain.package)
    const endpoint = { http: chain.rpcUrl, ...(chain.wsUrl === '' ? {} : { ws: chain.wsUrl }) }
    const deposit = await openWallet({ chainId, endpoint }, privateKey).prepare(sent)
    print(await deposit.send())
  }
  for (const { items } of steps.filter(({ kind }) => kind === 'signature'))
    for (const { data } of items) print(await signAndPost(`http://127.0.0.1:${state.port}`, privateKey, data))
}

const readAnswer = (file: string | 0): Answer => {
  const text = readFileSync(file, 'utf8')
  try {
    // CAST: every field is looked at before it is used.
    return JSON.parse(text) as Answer
  } catch {
    throw new SandboxError('That is not JSON. Give it the answer of POST /quote.')
  }
}
