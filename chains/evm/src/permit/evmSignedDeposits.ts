import { isDeepStrictEqual } from 'node:util'
import { type Hex, ServiceError } from '@causeway/core'
import type {
  FeeQuote,
  PermitApprovals,
  PermitForm,
  PermitKind,
  PermitTerms,
  PermitWay,
  SignedDeposits,
} from '@causeway/core/chain'
import { type RpcOutcome, resultOf } from '@causeway/core/chain-kit'
import { ZERO_ADDRESS } from '../address/addresses.js'
import { approvals, type Spending } from '../deposit/approvals.js'
import type { UserDeps } from '../deposit/userSteps.js'
import { permitContractsOf } from '../payout/contracts/permitRouter.js'
import { staticCall } from '../payout/contracts/staticCall.js'
import { PERMIT_BYTES, PERMIT_GAS } from '../payout/fees/gasTable.js'
import { firstWord } from '../read/balances.js'
import { answerOf } from '../read/tokenFacts.js'
import { PermitFailedError, readSignature, requireOwner } from './checkPermit.js'
import { type PermitFacts, PermitFactsReader } from './permitFacts.js'
import { type FormFacts, permitForm } from './permitForm.js'

/** Beginning of the code of an account that an EIP-7702 delegation made one. */
const DELEGATED = '0xef0100'
const ALL = 2n ** 256n - 1n
const NO_APPROVALS: PermitApprovals = { items: [], cost: 0n }
/** No token stores a fresh allowance for less. */
const APPROVE_GAS = 44_000n
const encodeNonces = staticCall('nonces(address)')

/** Deposits by EIP-3009, EIP-2612 and Permit2, all through the permit router. */
export class EvmSignedDeposits implements SignedDeposits {
  readonly #deps: UserDeps
  readonly #facts: PermitFactsReader
  readonly #permit2: string
  /** Whether Permit2 is there; asked until it is. */
  #hasPermit2: boolean | undefined

  constructor(deps: UserDeps) {
    this.#deps = deps
    const { rpc, clock, contracts } = deps
    this.#facts = new PermitFactsReader({ rpc, clock, chainId: contracts.chainId })
    this.#permit2 = permitContractsOf(contracts).permit2
  }

  async kindOf(currency: string, owner: string): Promise<PermitKind | null> {
    const token = currency.toLowerCase()
    if (token === ZERO_ADDRESS) return null
    const [facts, byContract, permit2] = await Promise.all([
      this.#factsOf(token),
      this.#isContract(owner),
      this.#permit2There(),
    ])
    if (facts.eip3009 === 'bytes' || (facts.eip3009 === 'split' && !byContract)) return 'eip3009'
    if (facts.eip2612 && !byContract) return 'eip2612'
    return permit2 ? 'permit2' : null
  }

  async supported(currencies: readonly string[]): Promise<readonly (PermitWay | null)[]> {
    const tokens = currencies.map((currency) => currency.toLowerCase())
    const asked = tokens.filter((token) => token !== ZERO_ADDRESS)
    const [read, permit2] = await Promise.all([this.#facts.read(asked), this.#permit2There()])
    const facts = new Map(read.map((each, at) => [asked[at], each]))
    return tokens.map((token) => {
      const known = facts.get(token)
      if (known !== undefined && (known.eip3009 !== null || known.eip2612)) return 'permit'
      return permit2 && token !== ZERO_ADDRESS ? 'permit2' : null
    })
  }

  async form(terms: PermitTerms): Promise<PermitForm> {
    return permitForm(terms, await this.#formFacts(terms), this.#deps.contracts)
  }

  async approvals({ kind, owner, money }: PermitTerms): Promise<PermitApprovals> {
    if (kind !== 'permit2') return NO_APPROVALS
    const spending: Spending = {
      owner,
      token: money.currency.toLowerCase(),
      amount: ALL,
      spender: this.#permit2,
      by: 'Permit2 contract',
    }
    const { steps } = this.#deps
    const [context, allowance] = await Promise.all([steps.context(), steps.allowance(spending)])
    if (allowance.allowance >= money.amount) return NO_APPROVALS
    const items = approvals(spending, allowance, context)
    return { items, cost: BigInt(items.length) * APPROVE_GAS * context.fees.maxFeePerGas }
  }

  async check(form: PermitForm, signature: string, { agreeing }: { readonly agreeing: number }): Promise<Hex> {
    this.#requireOurs(form)
    if (this.#deps.clock.now() >= form.terms.expiresAt * 1000)
      throw new PermitFailedError('What was signed has expired: ask for a new quote.')
    const read = readSignature(signature)
    const { contractWallets } = this.#deps
    await requireOwner({ form, signature: read, agreeing, contractWallets })
    return read
  }

  fee(_currency: string, kind: PermitKind): Promise<FeeQuote> {
    return this.#deps.fees.quote(PERMIT_GAS[kind], PERMIT_BYTES)
  }

  /** A form is one of this chain and its contracts as they are configured now: what was made for others moves nothing here. */
  #requireOurs({ terms, sign }: PermitForm): void {
    const { contracts } = this.#deps
    const domain = Object(sign.domain) as { readonly [member: string]: unknown }
    if (domain.chainId !== contracts.chainId)
      throw new PermitFailedError(`What was signed is for another chain than ${contracts.chainId}.`)
    const facts = factsIn(sign)
    const isWhole = terms.kind === 'permit2' || facts.domain !== null
    const isCounted = terms.kind !== 'eip2612' || facts.nonce !== null
    if (!isWhole || !isCounted || !isDeepStrictEqual(permitForm(terms, facts, contracts).sign, sign))
      throw new PermitFailedError('What was signed is not the deposit of this order: ask for a new quote.')
  }

  async #formFacts({ kind, owner, money }: PermitTerms): Promise<FormFacts> {
    if (kind === 'permit2') return { domain: null, nonce: null }
    const token = money.currency.toLowerCase()
    const call = { method: 'eth_call', params: [{ to: token, data: encodeNonces(owner) }, 'latest'] }
    const [{ domain }, answers] = await Promise.all([
      this.#factsOf(token),
      kind === 'eip2612' ? this.#deps.rpc.gather([call]) : Promise.resolve<readonly RpcOutcome[]>([]),
    ])
    if (domain === null) throw new ServiceError('SERVICE_UNAVAILABLE', 'The token does not say how it is signed for.')
    if (kind === 'eip3009') return { domain, nonce: null }
    const nonce = answerOf(answers[0])
    if (nonce.length !== 66) throw new ServiceError('SERVICE_UNAVAILABLE', 'The token does not count its permits.')
    return { domain, nonce: firstWord(nonce) }
  }

  async #factsOf(token: string): Promise<PermitFacts> {
    const [facts] = await this.#facts.read([token])
    if (facts === undefined) throw new ServiceError('SERVICE_UNAVAILABLE', 'The token could not be read.')
    return facts
  }

  async #isContract(owner: string): Promise<boolean> {
    const code = await this.#deps.rpc.call<string>('eth_getCode', [owner, 'latest'])
    return code !== '0x' && !code.toLowerCase().startsWith(DELEGATED)
  }

  async #permit2There(): Promise<boolean> {
    if (this.#hasPermit2 === true) return true
    const [outcome] = await this.#deps.rpc.gather([{ method: 'eth_getCode', params: [this.#permit2, 'latest'] }])
    this.#hasPermit2 = resultOf<string>(outcome, 'eth_getCode') !== '0x'
    return this.#hasPermit2
  }
}

/** What the chain said when a form was made, read back from it. */
const factsIn = ({ domain, value }: PermitForm['sign']): FormFacts => {
  const { name, version } = Object(domain) as { readonly name?: unknown; readonly version?: unknown }
  const { nonce } = Object(value) as { readonly nonce?: unknown }
  return {
    domain: typeof name === 'string' ? { name, version: typeof version === 'string' ? version : null } : null,
    nonce: typeof nonce === 'string' && /^[0-9]{1,78}$/.test(nonce) ? BigInt(nonce) : null,
  }
}
