import type { Hex } from '@causeway/core'
import type { ChainConfig, Diagnosis, DiagnosisRequest } from '@causeway/core/chain'
import { diagnoseNamedAllocator, type RpcCall, type RpcOutcome, resultOf } from '@causeway/core/chain-kit'
import { keccak256, toFunctionSelector } from 'viem/utils'
import { receiverImplementationOf } from '../../depositAddress/depositAddress.js'
import type { EvmSettings } from '../../options.js'
import { L1_FEE_ORACLE, l1FeeCall } from '../../payout/fees/l1FeeOracle.js'
import {
  type DeployedContract,
  depositAddressFactoryOf,
  depositoryOf,
  FILL_ROUTER,
  isFormerReceiverOf,
  isReceiverOf,
  judgeCode,
  SWAP_ROUTER,
} from '../../setup/contractAddresses.js'
import { answerOf } from '../tokenFacts.js'
import type { Batching } from './diagnoseDeps.js'
import { diagnosePermits } from './diagnosePermits.js'

const OWNER = toFunctionSelector('owner()')
const ALLOCATOR = toFunctionSelector('allocator()')
const RECEIVER_IMPLEMENTATION = toFunctionSelector('receiverImplementation()')
const CHECK = 'contract'

/** A contract whose code must be that of this release. */
interface OwnContract {
  readonly address: string
  readonly option: string
  readonly contract: DeployedContract
}

/**
 * Compares the contracts that deposits and payouts go through with this release and the configuration: code, receivers, owner,
 * allocator, and the fee oracle.
 * @throws ServiceError when no node answers, RpcResponseError when it refuses to read code
 */
export const verifyContracts = async (
  node: Batching,
  { config, settings }: { readonly config: Pick<ChainConfig, 'slug'>; readonly settings: EvmSettings },
  { allocator }: Pick<DiagnosisRequest, 'allocator'>,
): Promise<readonly Diagnosis[]> => {
  const { slug } = config
  const {
    depository,
    depositAddressFactory: factory,
    permits,
    acceptedCodeHashes,
    formerDepositAddressFactories,
  } = settings
  const own = ownContracts(settings)
  const wrapped = settings.swap?.wrappedNative ?? null
  const code = (address: string): RpcCall => ({ method: 'eth_getCode', params: [address, 'latest'] })
  const ask = (to: string, data: Hex): RpcCall => ({ method: 'eth_call', params: [{ to, data }, 'latest'] })
  const [signed, former, answers] = await Promise.all([
    permits === null ? [] : diagnosePermits(node, slug, { permits, depository }),
    Promise.all(
      formerDepositAddressFactories.map((each) => formerReceivers(node, slug, { factory: each, depository })),
    ),
    node.batch([
      ask(depository, OWNER),
      ask(depository, ALLOCATOR),
      ask(L1_FEE_ORACLE, l1FeeCall(1)),
      code(receiverImplementationOf(factory ?? depository)),
      ask(factory ?? depository, RECEIVER_IMPLEMENTATION),
      code(wrapped ?? depository),
      ...own.map(({ address }) => code(address)),
    ]),
  ])
  const [owner, obeyed, fee, receiver, implementation, wrappedCode, ...codes] = answers
  const codeAt = (outcome: RpcOutcome | undefined): Hex => resultOf<Hex>(outcome, 'eth_getCode')
  const made = receivers(
    slug,
    { factory: factory ?? depository, depository },
    codeAt(receiver),
    answerOf(implementation),
  )
  // A factory of former releases has other code; what matters of it is what its receivers do.
  const isFormer = made.state === 'warning'
  const found = own
    .filter(({ option }) => !(isFormer && option === 'depositAddressFactory'))
    .map((item) => codeFinding(slug, item, codeAt(codes[own.indexOf(item)]), acceptedCodeHashes))
  const isSound = (subject: string) => found.some((one) => one.subject === subject && one.state === 'ok')
  if (wrapped !== null)
    found.push(present(`${slug} wrapped native currency`, codeAt(wrappedCode), 'swap.wrappedNative'))
  if (factory !== null && (isFormer || isSound(`${slug} ${depositAddressFactoryOf(depository).name}`))) found.push(made)
  found.push(...former, ...signed)
  if (settings.l1DataFee === 'op-stack') found.push(oracle(slug, answerOf(fee)))
  if (codeAt(codes[0]) === '0x') return found
  if (settings.owner !== null) found.push(belongs(`${slug} depository`, answerOf(owner), settings.owner))
  return [...found, obeys(`${slug} depository`, answerOf(obeyed), allocator)]
}

/** The depository first. The permit router is compared with its receivers (`diagnosePermits`). */
const ownContracts = ({
  depository,
  depositAddressFactory: factory,
  fillRouter,
  swap,
}: EvmSettings): readonly OwnContract[] => [
  { address: depository, option: 'depository', contract: depositoryOf(depository, depository) },
  ...(factory === null
    ? []
    : [{ address: factory, option: 'depositAddressFactory', contract: depositAddressFactoryOf(depository) }]),
  ...(fillRouter === null ? [] : [{ address: fillRouter, option: 'fillRouter', contract: FILL_ROUTER }]),
  ...(swap === null ? [] : [{ address: swap.router, option: 'swap.router', contract: SWAP_ROUTER }]),
]

const codeFinding = (
  slug: string,
  { address, option, contract }: OwnContract,
  code: Hex,
  accepted: ReadonlySet<string>,
): Diagnosis => {
  const subject = `${slug} ${contract.name}`
  const verdict = judgeCode(code, { contract, address }, accepted)
  if (verdict === 'absent') return present(subject, code, option)
  if (verdict === 'own') return { check: CHECK, subject, state: 'ok', message: 'has the code of this release' }
  if (verdict === 'accepted')
    return { check: CHECK, subject, state: 'ok', message: 'has code that the configuration accepts' }
  return {
    check: CHECK,
    subject,
    state: 'fault',
    message: `has other code than this release at ${address}`,
    remedy: `Correct "${option}" in the chain's options. If the contract is of an earlier release, add its code hash ${keccak256(code)} to "acceptedCodeHashes".`,
  }
}

const present = (subject: string, code: Hex, option: string): Diagnosis =>
  code === '0x'
    ? {
        check: CHECK,
        subject,
        state: 'fault',
        message: 'there is no contract at the configured address',
        remedy: `Correct "${option}" in the chain's options, or deploy it.`,
      }
    : { check: CHECK, subject, state: 'ok', message: 'is deployed' }

const DESTROYED =
  'native currency that reaches an address after its sweep in the same transaction is destroyed, and any contract can arrange that'

interface FactoryOf {
  readonly factory: string
  readonly depository: string
}

/** Whether a factory named its first contract, which its receivers share. */
const isNamed = (factory: string, answer: Hex): boolean =>
  `0x${answer.slice(26, 66)}`.toLowerCase() === receiverImplementationOf(factory)

/** Checks the code that all receivers of the factory share, and the depository it pays. */
const receivers = (slug: string, { factory, depository }: FactoryOf, code: Hex, answer: Hex): Diagnosis => {
  const subject = `${slug} deposit addresses`
  const named = isNamed(factory, answer)
  if (named && isReceiverOf(code, factory, depository))
    return { check: CHECK, subject, state: 'ok', message: 'are swept into the depository' }
  if (named && isFormerReceiverOf(code, factory, depository))
    return {
      check: CHECK,
      subject,
      state: 'warning',
      message: `are made by a factory of former releases: ${DESTROYED}`,
      remedy:
        'Run "causeway contracts deploy": new addresses are then made by the factory of this release. If the factory has an address of its own, move it to "formerDepositAddressFactories" first.',
    }
  return {
    check: CHECK,
    subject,
    state: 'fault',
    message:
      'are not swept into the depository of this chain: the factory is another contract, or belongs to another depository',
    remedy: 'Correct "depositAddressFactory" in the chain\'s options, or leave it out, before anybody pays there.',
  }
}

/** The same for a factory that makes no new addresses. */
const formerReceivers = async (node: Batching, slug: string, pair: FactoryOf): Promise<Diagnosis> => {
  const { factory, depository } = pair
  const subject = `${slug} former deposit addresses`
  const [answer, outcome] = await node.batch([
    { method: 'eth_call', params: [{ to: factory, data: RECEIVER_IMPLEMENTATION }, 'latest'] },
    { method: 'eth_getCode', params: [receiverImplementationOf(factory), 'latest'] },
  ])
  const code = resultOf<Hex>(outcome, 'eth_getCode')
  const isOurs = isFormerReceiverOf(code, factory, depository) || isReceiverOf(code, factory, depository)
  if (isNamed(factory, answerOf(answer)) && isOurs)
    return { check: CHECK, subject, state: 'ok', message: `are swept into the depository; ${DESTROYED}` }
  return {
    check: CHECK,
    subject,
    state: 'fault',
    message: `are not swept into the depository of this chain: ${factory} is another contract, or belongs to another depository`,
    remedy: 'Correct "formerDepositAddressFactories" in the chain\'s options.',
  }
}

const oracle = (slug: string, answer: Hex): Diagnosis => {
  const subject = `${slug} fee oracle`
  if (answer.length >= 66) return { check: CHECK, subject, state: 'ok', message: 'states data fees' }
  return {
    check: CHECK,
    subject,
    state: 'fault',
    message: `states no data fee: the chain has no oracle at ${L1_FEE_ORACLE}`,
    remedy: 'Set "l1DataFee" in the chain\'s options to "none", unless the "rpc" is of another chain.',
  }
}

const belongs = (subject: string, answer: Hex, owner: string): Diagnosis => {
  const check = 'owner'
  const named = `0x${answer.slice(26, 66)}`.toLowerCase()
  if (named === owner) return { check, subject, state: 'ok', message: 'belongs to the configured owner' }
  return {
    check,
    subject,
    state: 'fault',
    message: `belongs to ${answer.length < 66 ? 'no owner' : named}, not to the configured owner ${owner}`,
    remedy:
      'Correct "depository" or "owner" in the chain\'s options: the owner of a depository can release all deposits.',
  }
}

const obeys = (subject: string, answer: Hex, allocator: string | null): Diagnosis => {
  if (answer.length < 66) {
    const message = 'does not name its allocator: it is another contract'
    const remedy = 'Correct "depository" in the chain\'s options.'
    return { check: 'allocator', subject, state: 'fault', message, remedy }
  }
  return diagnoseNamedAllocator(subject, `0x${answer.slice(26, 66)}`, allocator?.toLowerCase() ?? null)
}
