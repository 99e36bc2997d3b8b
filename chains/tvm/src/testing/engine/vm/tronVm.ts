import { Common, Hardfork, Mainnet, type ParamsDict } from '@ethereumjs/common'
import {
  EVM,
  type EVMError,
  EVMMockBlockchain,
  type EVMResult,
  type Message,
  NobleBN254,
  paramsEVM,
} from '@ethereumjs/evm'
import { Address } from '@ethereumjs/util'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { addressOfWord } from '../../wire/addresses.js'
import { bytesOf, hexOf } from '../../wire/protobuf.js'
import type { View } from '../state.js'
import { EvmState } from './evmState.js'
import { type ExecutionResult, resultOfError } from './vmErrors.js'

export interface VmLog {
  /** 40 hex digits, without the prefix `41`. */
  readonly address: string
  readonly topics: readonly string[]
  readonly data: string
}

/** A call of a contract to another account. */
export interface InternalCall {
  readonly caller: string
  readonly to: string
  readonly value: bigint
  readonly note: 'call' | 'create'
  readonly rejected: boolean
}

export interface VmCall {
  readonly caller: string
  /** Null: the data is the code of a new contract. */
  readonly to: string | null
  readonly data: Uint8Array
  readonly value: bigint
  readonly energyLimit: number
  /** Names contracts that the call creates. */
  readonly txId: string
  readonly time: number
  readonly height: number
}

export interface VmOutcome {
  readonly result: ExecutionResult
  /** Message of a result that is not `SUCCESS`. */
  readonly reason: string
  readonly energyUsed: number
  readonly returned: Uint8Array
  readonly logs: readonly VmLog[]
  readonly internal: readonly InternalCall[]
  /** Address of the new contract; null for a call. */
  readonly created: string | null
}

/** Prices of energy where they differ from gas: Tron does not distinguish cold and warm slots, and a write has two prices (EnergyCost of java-tron). */
const ENERGY = {
  ...{ coldsloadGas: 50, coldaccountaccessGas: 40, warmstoragereadGas: 40 },
  ...{
    sstoreNoopEIP2200Gas: 5000,
    sstoreDirtyEIP2200Gas: 5000,
    sstoreCleanEIP2200Gas: 5000,
    sstoreSentryEIP2200Gas: 0,
  },
} as const

/** Parameters of the EVM with the prices of Tron. */
const paramsOf = (): ParamsDict => {
  const params: ParamsDict = structuredClone(paramsEVM)
  for (const group of Object.values(params)) {
    for (const [name, price] of Object.entries(ENERGY)) if (name in group) group[name] = price
  }
  return params
}

const addressIn = (hex: string): Address => new Address(bytesOf(hex.slice(-40)))

const keccakAddress = (...parts: readonly Uint8Array[]): Address =>
  new Address(keccak_256(Buffer.concat(parts)).subarray(-20))

/** Address of a contract that a transaction creates (java-tron, `generateContractAddress`). */
export const createdAddress = (txId: string, owner: string): string => addressOfWord(keccak_256(bytesOf(txId + owner)))

/** The EVM with addresses of new contracts as Tron makes them. */
class TronEvm extends EVM {
  readonly #call: VmCall
  /** The EVM asks more than once for the address of a contract. */
  readonly #addresses = new WeakMap<Message, Address>()
  #created = 0n

  constructor(call: VmCall, state: EvmState, common: Common) {
    super({
      common,
      stateManager: state,
      blockchain: new EVMMockBlockchain(),
      bn254: new NobleBN254(),
      params: paramsOf(),
    })
    this.#call = call
  }

  protected override async _generateAddress(message: Message): Promise<Address> {
    const known = this.#addresses.get(message)
    if (known !== undefined) return known
    const address = this.#newAddress(message)
    this.#addresses.set(message, address)
    return address
  }

  #newAddress({ caller, salt, code, depth }: Message): Address {
    const { txId, caller: owner } = this.#call
    if (salt !== undefined && code instanceof Uint8Array) {
      return keccakAddress(Uint8Array.of(0x41), caller.bytes, salt, keccak_256(code))
    }
    if (depth === 0) return addressIn(createdAddress(txId, owner))
    this.#created += 1n
    return keccakAddress(bytesOf(txId), bytesOf(this.#created.toString(16).padStart(16, '0')))
  }
}

/** Runs calls on the state of the network. */
export class TronVm {
  readonly #common: Common

  /** `chainId` is what contracts read. */
  constructor(chainId: number) {
    const chain = { ...Mainnet, chainId }
    this.#common = new Common({ chain, hardfork: Hardfork.Cancun })
  }

  /** Runs a call on a view, which gets its changes if the call succeeds. */
  async run(view: View, call: VmCall): Promise<VmOutcome> {
    const state = new EvmState(view, call.time * 1000)
    const evm = new TronEvm(call, state, this.#common.copy())
    const internal = traced(evm)
    const caller = addressIn(call.caller)
    const outcome = await evm.runCall({
      ...{ caller, origin: caller, data: call.data, value: call.value, gasLimit: BigInt(call.energyLimit) },
      ...(call.to === null ? {} : { to: addressIn(call.to) }),
      block: blockOf(call),
    })
    const { exceptionError, selfdestruct, executionGasUsed, returnValue, logs = [] } = outcome.execResult
    for (const address of exceptionError ? [] : (selfdestruct?.keys() ?? [])) state.destroy(`41${address.slice(2)}`)
    const energyUsed = Number(executionGasUsed)
    const failed = exceptionError === undefined ? null : resultOfError(exceptionError)
    return {
      ...{ result: failed?.result ?? 'SUCCESS', reason: failed?.reason ?? '' },
      ...{ energyUsed, returned: returnValue, internal: internal(exceptionError) },
      logs: exceptionError ? [] : logs.map(([address, topics, data]) => logOf(address, topics, data)),
      created: call.to === null ? createdAddress(call.txId, call.caller) : null,
    }
  }
}

const logOf = (address: Uint8Array, topics: readonly Uint8Array[], data: Uint8Array): VmLog => ({
  address: hexOf(address),
  topics: topics.map(hexOf),
  data: hexOf(data),
})

/** Records the calls of contracts; all are rejected if the transaction fails. */
const traced = (evm: EVM): ((error: EVMError | undefined) => readonly InternalCall[]) => {
  const calls: InternalCall[] = []
  const open: number[] = []
  evm.events?.on('beforeMessage', ({ depth, caller, to, value, delegatecall }: Message) => {
    const isListed = depth > 0 && !delegatecall
    open.push(isListed ? calls.length : -1)
    if (!isListed) return
    calls.push({
      ...{ caller: addressOfWord(caller.bytes), to: to === undefined ? '' : addressOfWord(to.bytes), value },
      ...{ note: to === undefined ? 'create' : 'call', rejected: false },
    })
  })
  evm.events?.on('afterMessage', ({ execResult, createdAddress: made }: EVMResult) => {
    const at = open.pop() ?? -1
    const call = calls[at]
    if (call === undefined) return
    const to = made === undefined ? call.to : addressOfWord(made.bytes)
    calls[at] = { ...call, to, rejected: execResult.exceptionError !== undefined }
  })
  return (error) => calls.map((call) => ({ ...call, rejected: call.rejected || error !== undefined }))
}

const NOBODY = new Address(new Uint8Array(20))

/** What contracts read of a block; Tron has no difficulty and no gas limit. */
const blockOf = ({ height, time }: VmCall) => ({
  header: {
    ...{ number: BigInt(height), timestamp: BigInt(time), coinbase: NOBODY, gasLimit: 0n, difficulty: 0n },
    ...{ prevRandao: new Uint8Array(32), baseFeePerGas: 0n, getBlobGasPrice: () => undefined, slotNumber: 0n },
    cliqueSigner: () => NOBODY,
  },
})
