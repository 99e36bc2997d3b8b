import {
  amountAt,
  integerAt,
  listAt,
  type PermitFacts,
  type QuoteSteps,
  type SignatureStep,
  textAt,
  UnreadableQuoteError,
  valueAt,
} from '@causeway/core/verify'
import { readTransaction } from './checkEvmDeposit.js'
import { selectorOf, wordAt, wordDigits } from './evmCalls.js'
import { depositKey, permitReceiver } from './permitAddresses.js'

/** Where Permit2 is on most chains. */
const PERMIT2 = '0x000000000022d473030f116ddee9f6b43ac78ba3'

/** Members of what is signed: a signature over other ones could mean anything. */
const AUTHORIZATION =
  'ReceiveWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)'
const PERMIT = 'Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)'
const BATCH = [
  'PermitBatchWitnessTransferFrom(TokenPermissions[] permitted,address spender,uint256 nonce,uint256 deadline,DepositWitness witness)',
  'DepositWitness(address depository,bytes32 orderId)',
  'TokenPermissions(address token,uint256 amount)',
]

/**
 * A deposit by signature: whatever is done with it, it brings just this amount of the sender's into the depository under the order id.
 * That holds for the genuine router only.
 */
export const checkEvmPermit = (
  { transactions, signature }: QuoteSteps & { readonly signature: SignatureStep },
  facts: PermitFacts,
): void => {
  const { findings, isSwapped, chainId } = facts
  const { sign, kind } = signature
  findings.require(!isSwapped, 'A signature cannot pay for a swap before the deposit')
  findings.same('The kind of the signature', textAt(sign, 'signatureKind'), 'eip712')
  findings.same('chainId of what is signed', integerAt(sign, 'domain.chainId'), chainId)
  const check = FORMS.get(kind)
  if (check === undefined)
    throw new UnreadableQuoteError(`Signatures of the kind ${kind.slice(0, 32)} cannot be checked`)
  check(sign, facts)
  checkAllowances(transactions, kind === 'permit2', facts)
}

type Check = (sign: unknown, facts: PermitFacts) => void

const checkAuthorization: Check = (sign, facts) => {
  const { sender, currency, orderId } = facts
  checkTypes(sign, [AUTHORIZATION], facts)
  checkToken(sign, facts)
  checkHex(sign, 'from', sender, facts)
  checkRouter(textAt(sign, 'value.to'), facts)
  checkAmount(sign, 'value.value', facts)
  facts.findings.same('validAfter of what is signed', textAt(sign, 'value.validAfter'), '0')
  checkDeadline(amountAt(sign, 'value.validBefore'), facts)
  checkHex(sign, 'nonce', depositKey(orderId, sender, currency), facts)
}

const checkPermit: Check = (sign, facts) => {
  const { sender: owner, currency: token, orderId, amount, permitRouter, findings, slug } = facts
  checkTypes(sign, [PERMIT], facts)
  checkToken(sign, facts)
  checkHex(sign, 'owner', owner, facts)
  checkAmount(sign, 'value.value', facts)
  const deadline = amountAt(sign, 'value.deadline')
  checkDeadline(deadline, facts)
  const spender = textAt(sign, 'value.spender')
  if (permitRouter === null)
    findings.notCovered.push(`that ${spender} deposits for the order alone on ${slug} (options.permitRouters)`)
  else checkHex(sign, 'spender', permitReceiver(permitRouter, { orderId, owner, token, amount, deadline }), facts)
}

const checkBatch: Check = (sign, facts) => {
  const { sender, currency, orderId, depository, findings } = facts
  checkTypes(sign, BATCH, facts)
  findings.same('The name of what is signed', textAt(sign, 'domain.name'), 'Permit2')
  findings.require(valueAt(sign, 'domain.version') === undefined, 'Permit2 has no version')
  const contract = textAt(sign, 'domain.verifyingContract')
  if (contract.toLowerCase() !== PERMIT2) findings.notCovered.push(`that ${contract} is Permit2 on ${facts.slug}`)
  findings.same('The number of tokens that are signed for', listAt(sign, 'value.permitted').length, 1)
  checkHex(sign, 'permitted.0.token', currency, facts)
  checkAmount(sign, 'value.permitted.0.amount', facts)
  checkRouter(textAt(sign, 'value.spender'), facts)
  const key = BigInt(depositKey(orderId, sender, currency)).toString()
  findings.same('nonce of what is signed', textAt(sign, 'value.nonce'), key)
  checkDeadline(amountAt(sign, 'value.deadline'), facts)
  checkHex(sign, 'witness.depository', depository, facts)
  checkHex(sign, 'witness.orderId', orderId, facts)
}

const FORMS: ReadonlyMap<string, Check> = new Map([
  ['eip3009', checkAuthorization],
  ['eip2612', checkPermit],
  ['permit2', checkBatch],
])

/** The types as EIP-712 writes them, primary type first: no member more, less, or of another type. */
const checkTypes = (sign: unknown, expected: readonly string[], { findings }: PermitFacts): void => {
  const [primary = ''] = expected
  findings.same('primaryType of what is signed', textAt(sign, 'primaryType'), primary.slice(0, primary.indexOf('(')))
  const types = valueAt(sign, 'types')
  const written = Object.keys(Object(types))
    .filter((name) => name !== 'EIP712Domain')
    .map((name) => `${name}(${listAt(types, name).map(member).join(',')})`)
  findings.require(
    written.length === expected.length && expected.every((type) => written.includes(type)),
    'The types of what is signed are not those of a deposit',
  )
}

/** One word each: what reads like two members would be hashed as one. */
const member = (value: unknown): string =>
  [textAt(value, 'type'), textAt(value, 'name')].map((word) => word.replace(/[^A-Za-z0-9[\]]/g, '?')).join(' ')

const checkToken = (sign: unknown, { currency, findings }: PermitFacts): void =>
  findings.sameHex('The contract of what is signed', textAt(sign, 'domain.verifyingContract'), currency)

const checkHex = (sign: unknown, name: string, expected: string, { findings }: PermitFacts): void =>
  findings.sameHex(`${name} of what is signed`, textAt(sign, `value.${name}`), expected)

const checkAmount = (sign: unknown, path: string, { findings, amount }: PermitFacts): void =>
  findings.same('The amount of what is signed', amountAt(sign, path), amount)

const checkRouter = (router: string, { permitRouter, slug, findings }: PermitFacts): void => {
  if (permitRouter === null)
    findings.notCovered.push(`that ${router} is the permit router of ${slug} (options.permitRouters)`)
  else findings.sameHex('Who may use what is signed', router, permitRouter)
}

const checkDeadline = (found: bigint, { deadline, findings }: PermitFacts): void =>
  findings.require(found <= BigInt(deadline), 'What is signed is valid for longer than the order')

const APPROVE = 'approve(address,uint256)'

/** Permit2 takes what is signed for by an allowance of the token, of any amount; a reset to zero may come first. */
const checkAllowances = (steps: QuoteSteps['transactions'], needed: boolean, facts: PermitFacts): void => {
  const { findings, currency } = facts
  findings.require(steps.length <= (needed ? 2 : 0), 'There are more steps than the deposit needs')
  for (const step of steps) {
    findings.same('A step before the signature', step.id, 'approve')
    const { to, data, value } = readTransaction(step, facts)
    findings.sameHex('The receiver of an approval', to, currency)
    findings.same('The value of an approval', value, 0n)
    const isAllowance = data.startsWith(selectorOf(APPROVE)) && wordAt(data, 0) === wordDigits(PERMIT2)
    findings.require(isAllowance && data.length === APPROVE_LENGTH, 'An approval is not one of Permit2')
  }
}

/** `0x`, selector and two words. */
const APPROVE_LENGTH = 2 + 8 + 2 * 64
