import { BoundedCache, type Clock, type Hex } from '@causeway/core'
import type { TokenFacts } from '@causeway/core/chain'
import { type JsonRpcClient, type RpcCall, type RpcOutcome, resultOf } from '@causeway/core/chain-kit'
import { toFunctionSelector } from 'viem/utils'
import type { Ask } from '../deposit/readDeposits.js'
import { isRevert } from '../rpc/rpcErrors.js'
import { textOf } from './tokenText.js'

const QUESTIONS = ['symbol()', 'name()', 'decimals()'].map((signature) => toFunctionSelector(signature))
/** Enough for proxies, too little for an answer of a megabyte. */
export const MAX_TOKEN_GAS = '0x16e360'
const MAX_SYMBOL = 32
const MAX_NAME = 100
const MAX_DECIMALS = 36n

const MAX_KEPT = 10_000
const KEEP_MS = 3_600_000
/** A token may be deployed any moment. */
const KEEP_MISSING_MS = 30_000

/** Reads what tokens say of themselves, each at most once in a while. */
export class TokenReader {
  readonly #rpc: JsonRpcClient
  readonly #kept: BoundedCache<TokenFacts | null>

  constructor(deps: { readonly rpc: JsonRpcClient; readonly clock: Clock }) {
    this.#rpc = deps.rpc
    this.#kept = new BoundedCache({
      clock: deps.clock,
      maxEntries: MAX_KEPT,
      lifeOf: (facts) => (facts === null ? KEEP_MISSING_MS : KEEP_MS),
    })
  }

  /**
   * Null when the address is no token or its decimals make no sense; a missing symbol or name is replaced by the other.
   * Throws ServiceError when no node answers.
   */
  read(token: string): Promise<TokenFacts | null> {
    return this.#kept.get(token, async () => {
      const [facts = null] = await readTokens([token], (calls) => this.#rpc.gather(calls))
      return facts
    })
  }
}

/** Reads the metadata of tokens in one batch; null for an address that is no token. @throws ServiceError when the node does not answer */
export const readTokens = async (tokens: readonly string[], ask: Ask): Promise<readonly (TokenFacts | null)[]> => {
  const outcomes = await ask(tokens.flatMap((token) => QUESTIONS.map((data) => question(token, data))))
  return tokens.map((_, at) => {
    const [symbol, name, decimals] = outcomes.slice(at * QUESTIONS.length)
    return factsOf({ symbol: answerOf(symbol), name: answerOf(name), decimals: answerOf(decimals) })
  })
}

const question = (to: string, data: Hex): RpcCall => ({
  method: 'eth_call',
  params: [{ to, data, gas: MAX_TOKEN_GAS }, 'latest'],
})

/** A call the token stopped answers nothing; a node that could not run it is another matter. */
export const answerOf = (outcome: RpcOutcome | undefined): Hex => {
  if (outcome !== undefined && !outcome.ok && isRevert(outcome.error)) return '0x'
  const result = resultOf<unknown>(outcome, 'eth_call')
  return typeof result === 'string' && /^0x[0-9a-f]*$/i.test(result) ? (result as Hex) : '0x'
}

const factsOf = (answers: { readonly symbol: Hex; readonly name: Hex; readonly decimals: Hex }): TokenFacts | null => {
  if (answers.decimals.length < 66) return null
  const decimals = BigInt(answers.decimals.slice(0, 66))
  const symbol = textOf(answers.symbol, MAX_SYMBOL) ?? textOf(answers.name, MAX_SYMBOL)
  if (decimals > MAX_DECIMALS || symbol === null) return null
  return { symbol, name: textOf(answers.name, MAX_NAME) ?? symbol, decimals: Number(decimals) }
}
