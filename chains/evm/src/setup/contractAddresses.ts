import {
  depositAddressFactoryAbi,
  depositAddressFactoryBytecode,
  depositAddressFactoryImmutables,
  depositAddressFactoryRuntimeBytecode,
  depositoryAbi,
  depositoryBytecode,
  depositoryImmutables,
  depositoryRuntimeBytecode,
  depositReceiverImmutables,
  depositReceiverRuntimeBytecode,
  fillRouterBytecode,
  fillRouterImmutables,
  fillRouterRuntimeBytecode,
  formerDepositAddressFactoryAbi,
  formerDepositAddressFactoryBytecode,
  formerDepositReceiverImmutables,
  formerDepositReceiverRuntimeBytecode,
  permitReceiverImmutables,
  permitReceiverRuntimeBytecode,
  permitRouterAbi,
  permitRouterBytecode,
  permitRouterImmutables,
  permitRouterRuntimeBytecode,
  swapRouterBytecode,
  swapRouterImmutables,
  swapRouterRuntimeBytecode,
} from '@causeway/contracts-abi'
import type { Hex } from '@causeway/core'
import {
  concat,
  encodeDeployData,
  getAddress,
  getContractAddress,
  getCreate2Address,
  keccak256,
  slice,
  toHex,
} from 'viem/utils'

/** The deterministic deployment proxy: its address follows from a transaction that nobody has the key of. */
export const FACTORY = '0x4e59b44847b379578588920ca78fbf26c0b4956c'

/** Code of the proxy, as it lies on every chain that has it. */
export const FACTORY_CODE: Hex =
  '0x7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe03601600081602082378035828234f58015156039578182fd5b8082525050506014600cf3'

/** The transaction that makes the proxy, signed for every chain: 100,000 gas at 100 gwei, without a chain id. */
export const FACTORY_TRANSACTION: Hex =
  '0xf8a58085174876e800830186a08080b853604580600e600039806000f350fe7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe03601600081602082378035828234f58015156039578182fd5b8082525050506014600cf31ba02222222222222222222222222222222222222222222222222222222222222222a02222222222222222222222222222222222222222222222222222222222222222'

/** Its sender, and all that it may cost. */
export const FACTORY_SENDER = '0x3fab184622dc19b6109349b94811493bf2a45362'
export const FACTORY_COST = 10n ** 16n

/** Ours on every chain, so that equal code and equal arguments have an equal address. */
const SALT = keccak256(toHex('causeway contracts 1'))

/** A contract that is deployed through the proxy. */
export interface DeployedContract {
  readonly name: 'depository' | 'deposit address factory' | 'fill router' | 'swap router' | 'permit router'
  /** Lower case. */
  readonly address: string
  readonly creation: Hex
  readonly runtime: Hex
  readonly immutables: readonly number[]
  /** Addresses, in lower case, that its constructor keeps beside what it makes itself. */
  readonly keeps: readonly string[]
}

const contract = (
  name: DeployedContract['name'],
  creation: Hex,
  runtime: Hex,
  immutables: readonly number[],
  keeps: readonly string[] = [],
): DeployedContract => {
  const address = getCreate2Address({ from: getAddress(FACTORY), salt: SALT, bytecode: creation }).toLowerCase()
  return { name, address, creation, runtime, immutables, keeps }
}

/** The depository that belongs to an owner and obeys an allocator from its first block on. */
export const depositoryOf = (owner: string, allocator: string): DeployedContract => {
  const args = [getAddress(owner), getAddress(allocator)] as const
  const creation = encodeDeployData({ abi: depositoryAbi, bytecode: depositoryBytecode, args })
  return contract('depository', creation, depositoryRuntimeBytecode, depositoryImmutables)
}

/** The factory of deposit addresses whose receivers pay a depository. */
export const depositAddressFactoryOf = (depository: string): DeployedContract => {
  const args = [getAddress(depository)] as const
  const creation = encodeDeployData({ abi: depositAddressFactoryAbi, bytecode: depositAddressFactoryBytecode, args })
  const [runtime, immutables] = [depositAddressFactoryRuntimeBytecode, depositAddressFactoryImmutables]
  return contract('deposit address factory', creation, runtime, immutables)
}

/** Lower-case address of the factory that former releases deployed for a depository. */
export const formerDepositAddressFactoryOf = (depository: string): string => {
  const args = [getAddress(depository)] as const
  const code = { abi: formerDepositAddressFactoryAbi, bytecode: formerDepositAddressFactoryBytecode }
  const bytecode = encodeDeployData({ ...code, args })
  return getCreate2Address({ from: getAddress(FACTORY), salt: SALT, bytecode }).toLowerCase()
}

/**
 * Options in which the factory of this release replaces that of former releases, whose addresses are still swept. Other options, and
 * a factory of the operator's own, stay as they are.
 */
export const withoutFormerFactory = (
  options: Readonly<Record<string, unknown>>,
  depository: string,
): Readonly<Record<string, unknown>> => {
  const { depositAddressFactory: named, formerDepositAddressFactories: listed, ...others } = options
  if (typeof named !== 'string' || named.toLowerCase() !== formerDepositAddressFactoryOf(depository)) return options
  return { ...others, formerDepositAddressFactories: [...(Array.isArray(listed) ? listed : []), getAddress(named)] }
}

/** The router of signed deposits into a depository, by a Permit2. */
export const permitRouterOf = (depository: string, permit2: string): DeployedContract => {
  const args = [getAddress(depository), getAddress(permit2)] as const
  const creation = encodeDeployData({ abi: permitRouterAbi, bytecode: permitRouterBytecode, args })
  const keeps = [depository.toLowerCase(), permit2.toLowerCase()]
  return contract('permit router', creation, permitRouterRuntimeBytecode, permitRouterImmutables, keeps)
}

export const FILL_ROUTER = contract('fill router', fillRouterBytecode, fillRouterRuntimeBytecode, fillRouterImmutables)
export const SWAP_ROUTER = contract('swap router', swapRouterBytecode, swapRouterRuntimeBytecode, swapRouterImmutables)

/** What the proxy is called with to make a contract. */
export const factoryCall = ({ creation }: DeployedContract): Hex => concat([SALT, creation])

/**
 * Whether code on a chain is the contract's: equal but for its immutables, and these what its constructor makes of them: what it was
 * given to keep, and what it creates first (the runner of a router, the code of the receivers of a factory).
 */
export const isCodeOf = (code: Hex, { runtime, immutables, keeps }: DeployedContract, address: string): boolean => {
  const made = getContractAddress({ from: getAddress(address), nonce: 1n }).toLowerCase()
  const values = valuesIn(code, runtime, immutables)
  if (values === null) return false
  return (
    values.every((value) => value === made || keeps.includes(value)) && keeps.every((kept) => values.includes(kept))
  )
}

/**
 * The verdict on a contract's code, the same for a host and for `causeway contracts`: `own` is of this release, `accepted` one whose hash
 * the configuration names (`acceptedCodeHashes`, in lower case).
 */
export const judgeCode = (
  code: Hex,
  { contract, address }: { readonly contract: DeployedContract; readonly address: string },
  accepted: ReadonlySet<string>,
): 'absent' | 'own' | 'accepted' | 'other' => {
  if (code === '0x') return 'absent'
  if (isCodeOf(code, contract, address)) return 'own'
  return accepted.has(keccak256(code)) ? 'accepted' : 'other'
}

/** Whether code on a chain is that of the receivers of a factory, and they pay this depository. */
export const isReceiverOf = (code: Hex, factory: string, depository: string): boolean => {
  const values = valuesIn(code, depositReceiverRuntimeBytecode, depositReceiverImmutables)
  return values !== null && sameSet(new Set(values), new Set([factory.toLowerCase(), depository.toLowerCase()]))
}

/** Whether code on a chain is that of the receivers of a former factory, and they pay this depository. */
export const isFormerReceiverOf = (code: Hex, factory: string, depository: string): boolean => {
  const values = valuesIn(code, formerDepositReceiverRuntimeBytecode, formerDepositReceiverImmutables)
  return values !== null && sameSet(new Set(values), new Set([factory.toLowerCase(), depository.toLowerCase()]))
}

/** Whether code on a chain is that of the receivers of a permit router, and they pay this depository. */
export const isPermitReceiverOf = (code: Hex, router: string, depository: string): boolean => {
  const values = valuesIn(code, permitReceiverRuntimeBytecode, permitReceiverImmutables)
  return values !== null && sameSet(new Set(values), new Set([router.toLowerCase(), depository.toLowerCase()]))
}

const sameSet = (left: ReadonlySet<string>, right: ReadonlySet<string>): boolean =>
  left.size === right.size && [...left].every((item) => right.has(item))

/** Addresses in the places of the immutables; null where the code is another one, or something else than an address is there. */
const valuesIn = (code: Hex, runtime: Hex, immutables: readonly number[]): readonly string[] | null => {
  if (code.length !== runtime.length) return null
  let masked = code.toLowerCase()
  const values: string[] = []
  for (const start of immutables) {
    const word = slice(code, start, start + 32).toLowerCase()
    if (!word.startsWith(`0x${'0'.repeat(24)}`)) return null
    values.push(`0x${word.slice(26)}`)
    masked = `${masked.slice(0, 2 + 2 * start)}${'0'.repeat(64)}${masked.slice(2 + 2 * (start + 32))}`
  }
  return masked === runtime.toLowerCase() ? values : null
}
