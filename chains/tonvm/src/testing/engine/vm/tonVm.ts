import {
  type Address,
  beginCell,
  Cell,
  Dictionary,
  getMethodId,
  type Message,
  parseTuple,
  type ShardAccount,
  serializeTuple,
  storeMessage,
  type TupleItem,
} from '@ton/core'
import { loadSandbox, SEED } from '../../../payout/emulation/emulator.js'
import { TonExecutor } from './executor.js'

/** Configuration of the main network that the sandbox holds: gas prices, limits, the version of the virtual machine. */
const mainnetConfig = (): string => {
  // CAST: the export of the pinned version.
  const { defaultConfig } = loadSandbox('config/defaultConfig.js') as { readonly defaultConfig: string }
  return defaultConfig
}

/** Base64 of the cell of an account's state. */
export type AccountCell = string

/** When a message is executed. */
export interface Moment {
  /** Unix seconds. */
  readonly now: number
  readonly lt: bigint
  /** Takes every signature as valid, as for an estimate of fees. */
  readonly ignoresSignatures?: boolean
}

/** The result of a message: a transaction and the new state, or the exit code of a contract that did not accept it. */
export type Execution =
  | { readonly accepted: true; readonly transaction: string; readonly account: AccountCell }
  | { readonly accepted: false; readonly reason: string; readonly exitCode: number | null }

/** The result of a get method. */
export interface MethodResult {
  readonly exitCode: number
  readonly gasUsed: number
  readonly stack: readonly TupleItem[]
}

interface Output {
  readonly success: boolean
  readonly error?: string
  readonly vm_exit_code?: number
  readonly transaction?: string
  readonly shard_account?: string
  readonly stack?: string
  readonly gas_used?: string
}

/** Exit code of a get method on an account without code. */
export const NOT_ACTIVE = -256
const GAS_LIMIT = '1000000'

/** The real virtual machine and transaction executor of TON. */
export class TonVm {
  #executor: TonExecutor
  #config: Cell

  private constructor(executor: TonExecutor, config: Cell) {
    this.#executor = executor
    this.#config = config
  }

  static async open(): Promise<TonVm> {
    const config = mainnetConfig()
    return new TonVm(await TonExecutor.open(config), Cell.fromBase64(config))
  }

  /** Dictionary of the configuration's parameters. */
  get config(): Cell {
    return this.#config
  }

  /** Replaces a parameter, such as a gas price. */
  setParam(id: number, value: Cell): void {
    const config = Dictionary.loadDirect(Dictionary.Keys.Int(32), Dictionary.Values.Cell(), this.#config)
    config.set(id, value)
    this.#config = beginCell().storeDictDirect(config).endCell()
    this.#executor = this.#executor.configured(base64(this.#config))
  }

  execute(account: AccountCell, message: Message, { now, lt, ignoresSignatures = false }: Moment): Execution {
    const cell = beginCell().store(storeMessage(message)).endCell()
    const output = this.#executor.execute(account, base64(cell), {
      ...{ utime: now, lt: String(lt), rand_seed: SEED, ignore_chksig: ignoresSignatures, debug_enabled: false },
    })
    // CAST: the answer of the pinned executor.
    const { success, transaction, shard_account, error, vm_exit_code } = output as Output
    if (success && transaction !== undefined && shard_account !== undefined) {
      return { accepted: true, transaction, account: shard_account }
    }
    return { accepted: false, reason: error ?? 'unknown', exitCode: vm_exit_code ?? null }
  }

  /** Runs a get method of an account in its state. */
  runGetMethod({ account }: ShardAccount, method: string | number, stack: TupleItem[], now: number): MethodResult {
    const state = account?.storage.state
    if (account === undefined || account === null || state?.type !== 'active') {
      return { exitCode: NOT_ACTIVE, gasUsed: 0, stack: [] }
    }
    const params = {
      ...{ code: optionalBase64(state.state.code), data: optionalBase64(state.state.data), libs: '', verbosity: 0 },
      ...{ address: addressText(account.addr), unixtime: now, balance: String(account.storage.balance.coins) },
      ...{ rand_seed: SEED, gas_limit: GAS_LIMIT, debug_enabled: false },
      method_id: typeof method === 'number' ? method : getMethodId(method),
    }
    // CAST: the answer of the pinned executor.
    const output = this.#executor.runGetMethod(params, base64(serializeTuple(stack))) as Output
    if (!output.success) throw new Error(`The get method failed: ${output.error}`)
    return {
      exitCode: output.vm_exit_code ?? 0,
      gasUsed: Number(output.gas_used ?? 0),
      stack: parseTuple(Cell.fromBase64(output.stack ?? '')),
    }
  }
}

const base64 = (cell: Cell): string => cell.toBoc().toString('base64')

const optionalBase64 = (cell: Cell | null | undefined): string => (cell ? base64(cell) : '')

const addressText = (address: Address): string => address.toString()
