import { BoundedCache, type Clock, type Hex } from '@causeway/core'
import { type JsonRpcClient, type RpcCall, type RpcOutcome, resultOf } from '@causeway/core/chain-kit'
import { keccak256, toFunctionSelector, toHex } from 'viem/utils'
import { staticCall, words } from '../payout/contracts/staticCall.js'
import { answerOf, MAX_TOKEN_GAS } from '../read/tokenFacts.js'
import { isRevert, revertDataOf } from '../rpc/rpcErrors.js'
import { type TokenDomain, tokenDomain } from './tokenDomain.js'

/** Ways in which a token lets others move it, as it was seen to. */
export interface PermitFacts {
  /** Null: its signatures cannot be foreseen. */
  readonly domain: TokenDomain | null
  /** `bytes`: it takes signatures of any length, and so those of contract wallets; `split`: of 65 bytes alone. */
  readonly eip3009: 'bytes' | 'split' | null
  readonly eip2612: boolean
}

const typeHash = (type: string): Hex => keccak256(toHex(type))
const PERMIT = typeHash('Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)')
const RECEIVE = typeHash(
  'ReceiveWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)',
)

/** Somebody whose key nobody has. */
const NOBODY = '0x000000000000000000000000000000000c0ffee1'
const NONE = `0x${'0'.repeat(64)}`
const LONG_AGO = 1n

const plain = (signature: string): Hex => toFunctionSelector(signature)
const authorization = words(NOBODY, NOBODY, 1n, 0n, LONG_AGO, NONE)
const SPLIT = toFunctionSelector(
  'receiveWithAuthorization(address,address,uint256,uint256,uint256,bytes32,uint8,bytes32,bytes32)',
)
const BYTES = toFunctionSelector('receiveWithAuthorization(address,address,uint256,uint256,uint256,bytes32,bytes)')

/** What is asked of a token. The last three are too late, whatever they say: a token that has the function says why it stops them. */
const QUESTIONS = {
  name: plain('name()'),
  version: plain('version()'),
  separator: plain('DOMAIN_SEPARATOR()'),
  described: plain('eip712Domain()'),
  permitType: plain('PERMIT_TYPEHASH()'),
  receiveType: plain('RECEIVE_WITH_AUTHORIZATION_TYPEHASH()'),
  nonces: staticCall('nonces(address)')(NOBODY),
  state: staticCall('authorizationState(address,bytes32)')(NOBODY, NONE),
  permit: staticCall('permit(address,address,uint256,uint256,uint8,bytes32,bytes32)')(
    NOBODY,
    NOBODY,
    1n,
    LONG_AGO,
    27n,
    NONE,
    NONE,
  ),
  split: `${SPLIT}${authorization.slice(2)}${words(27n, NONE, NONE).slice(2)}`,
  bytes: `${BYTES}${authorization.slice(2)}${words(224n, 0n).slice(2)}`,
} as const satisfies Record<string, Hex>

type Question = keyof typeof QUESTIONS
const NAMES = Object.keys(QUESTIONS) as readonly Question[]

const MAX_KEPT = 10_000
const KEEP_MS = 3_600_000
/** A token may be deployed any moment. */
const KEEP_NONE_MS = 30_000

/** Finds out which permits tokens take, each at most once in a while. */
export class PermitFactsReader {
  readonly #deps: { readonly rpc: JsonRpcClient; readonly clock: Clock; readonly chainId: number }
  readonly #kept: BoundedCache<PermitFacts>

  constructor(deps: { readonly rpc: JsonRpcClient; readonly clock: Clock; readonly chainId: number }) {
    this.#deps = deps
    this.#kept = new BoundedCache({
      clock: deps.clock,
      maxEntries: MAX_KEPT,
      lifeOf: ({ domain }) => (domain === null ? KEEP_NONE_MS : KEEP_MS),
    })
  }

  /** Of tokens in lower case, in one request for all that are not known. Throws ServiceError when no node answers. */
  read(tokens: readonly string[]): Promise<readonly PermitFacts[]> {
    const { rpc, chainId } = this.#deps
    const wanted: string[] = []
    let asked: Promise<readonly RpcOutcome[]> | undefined
    const answers = () => {
      asked ??= rpc.gather(wanted.flatMap((token) => NAMES.map((name) => question(token, QUESTIONS[name]))))
      return asked
    }
    const readOne = async (token: string): Promise<PermitFacts> => {
      const first = (wanted.push(token) - 1) * NAMES.length
      // By then every token that is not known is among those wanted.
      await Promise.resolve()
      const outcomes = await answers()
      return factsOf(new Map(NAMES.map((name, at) => [name, outcomes[first + at]])), { chainId, token })
    }
    return Promise.all(tokens.map((token) => this.#kept.get(token, () => readOne(token))))
  }
}

/** Asked by the payee: whoever else asks is told nothing but that. */
const question = (to: string, data: Hex): RpcCall => ({
  method: 'eth_call',
  params: [{ from: NOBODY, to, data, gas: MAX_TOKEN_GAS }, 'latest'],
})

const factsOf = (
  outcomes: ReadonlyMap<Question, RpcOutcome | undefined>,
  place: { readonly chainId: number; readonly token: string },
): PermitFacts => {
  const answer = (name: Question): Hex => answerOf(outcomes.get(name))
  const domain = tokenDomain(
    {
      name: answer('name'),
      version: answer('version'),
      separator: answer('separator'),
      described: answer('described'),
    },
    place,
  )
  const none = { domain, eip3009: null, eip2612: false }
  if (domain === null) return none
  const isWord = (name: Question) => answer(name).length === 66
  const says = (name: Question, hash: Hex) => !isWord(name) || answer(name).toLowerCase() === hash
  const stops = (name: Question) => stopsWithReason(outcomes.get(name))
  const authorizes = isWord('state') && says('receiveType', RECEIVE)
  const form = stops('bytes') ? ('bytes' as const) : stops('split') ? ('split' as const) : null
  return {
    domain,
    eip3009: authorizes ? form : null,
    eip2612: isWord('nonces') && says('permitType', PERMIT) && stops('permit'),
  }
}

/** A contract stops a call of a function that it does not have without a word. */
const stopsWithReason = (outcome: RpcOutcome | undefined): boolean => {
  if (outcome === undefined || outcome.ok) {
    resultOf(outcome, 'eth_call')
    return false
  }
  if (!isRevert(outcome.error)) resultOf(outcome, 'eth_call')
  return (revertDataOf(outcome.error) ?? '0x').length > 2
}
