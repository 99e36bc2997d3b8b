import type { StateView } from '@causeway/core/testing'
import type { Message } from '@ton/core'
import { type AccountEntry, accountCell } from './accounts.js'
import { readTransaction, type TonTx } from './tonTx.js'
import type { Execution, TonVm } from './vm/tonVm.js'

/** A message on its way to an account. */
export interface Delivery {
  readonly message: Message
  /** Its messages are delivered in the same block, and so are theirs. */
  readonly isExpress: boolean
}

/** Logical time that a transaction takes, with its at most 255 messages. */
const LT_STEP = 1000n
/** Number of deliveries in a block that tells a loop of contracts. */
const MOST = 10_000

/** Raw address of the account that receives a message. */
export const receiverOf = ({ info }: Message): string => {
  if (info.type === 'external-out') throw new Error('The message leaves the network')
  return info.dest.toRawString()
}

/** The transactions of one block, on top of the state before it. */
export class BlockRun {
  readonly transactions: TonTx[] = []
  /** Messages for the next block. */
  readonly sent: Delivery[] = []
  #lt: bigint

  constructor(
    readonly vm: TonVm,
    readonly state: StateView<AccountEntry>,
    readonly now: number,
    lt: bigint,
  ) {
    this.#lt = lt
  }

  get lt(): bigint {
    return this.#lt
  }

  /** Delivers messages in order. An external message that its contract does not accept leaves no trace. */
  deliver(deliveries: readonly Delivery[]): void {
    const waiting = [...deliveries]
    for (let done = 0; done < MOST; done += 1) {
      const next = waiting.shift()
      if (next === undefined) return
      const out = this.#execute(next.message).map((message) => ({ message, isExpress: next.isExpress }))
      if (next.isExpress) waiting.push(...out)
      else this.sent.push(...out)
    }
    throw new Error('The messages of a block do not end')
  }

  /** Executes a message. Returns the internal messages that it caused. */
  #execute(message: Message): readonly Message[] {
    const address = receiverOf(message)
    const execution = this.execution(message)
    if (!execution.accepted) {
      if (message.info.type === 'external-in') return []
      throw new Error(`The emulator refuses a message of a contract: ${execution.reason}`)
    }
    this.state.put({ index: address, cell: execution.account })
    const tx = readTransaction(execution.transaction, address)
    this.#lt = tx.lt + LT_STEP
    this.transactions.push(tx)
    return tx.parsed.outMessages.values().filter(({ info }) => info.type === 'internal')
  }

  /** Returns the result that a message would have; changes no state. */
  execution(message: Message, ignoresSignatures = false): Execution {
    const account = accountCell(this.state, receiverOf(message))
    return this.vm.execute(account, message, { now: this.now, lt: this.#lt, ignoresSignatures })
  }
}
