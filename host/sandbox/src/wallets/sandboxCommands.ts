import { readFileSync } from 'node:fs'
import { SandboxError } from '../sandboxError.js'
import { sandboxPaths } from '../state/sandboxPaths.js'
import { readState, type SandboxState } from '../state/sandboxState.js'
import { accountOf, payableQuote, paySteps, type QuoteAnswer } from './payQuote.js'
import { signText } from './walletSignature.js'

export interface SandboxCommandOptions {
  /** The folder of the sandbox. */
  readonly home: string
  print(line: string): void
}

const openState = (home: string): SandboxState => {
  const state = readState(sandboxPaths(home))
  if (state === null) throw new SandboxError('There is no sandbox here. Start one with: causeway start')
  return state
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
  const { transactionId, said } = await paySteps(state, payableQuote(state, readAnswer(file)))
  for (const line of [...(transactionId === null ? [] : [transactionId]), ...said]) print(line)
}

const readAnswer = (file: string | 0): QuoteAnswer => {
  const text = readFileSync(file, 'utf8')
  try {
    // CAST: every field is looked at before it is used.
    return JSON.parse(text) as QuoteAnswer
  } catch {
    throw new SandboxError('That is not JSON. Give it the answer of POST /quote.')
  }
}
