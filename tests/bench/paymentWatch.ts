import { keccak256, toHex } from 'viem'
import type { NetworkChain } from '../harness/localNetwork.js'
import { type LogSocket, subscribeLogs } from './logSocket.js'

const TRANSFER = keccak256(toHex('Transfer(address,address,uint256)'))
const TIME_LIMIT_MS = 180_000

/** Sees token payments on a chain the moment the node announces them, whoever makes them. */
export class PaymentWatch {
  /** When each recipient was paid, by `performance.now()`. */
  readonly paidAt = new Map<string, number>()
  readonly #waiting = new Map<string, (at: number) => void>()
  #socket: LogSocket | undefined

  static async open({ chain, usdc }: NetworkChain): Promise<PaymentWatch> {
    const watch = new PaymentWatch()
    watch.#socket = await subscribeLogs(chain.wsUrl, { address: usdc, topics: [TRANSFER] }, ({ topics }) => {
      watch.#paid(`0x${topics[2]?.slice(26) ?? ''}`)
    })
    return watch
  }

  /** The time at which the recipient was paid since it was last forgotten. */
  async paid(recipient: string): Promise<number> {
    const known = this.paidAt.get(recipient)
    if (known !== undefined) return known
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`${recipient} was not paid in time`)), TIME_LIMIT_MS)
      this.#waiting.set(recipient, (at) => {
        clearTimeout(timer)
        resolve(at)
      })
    })
  }

  forget(recipient: string): void {
    this.paidAt.delete(recipient)
  }

  close(): void {
    this.#socket?.close()
  }

  #paid(recipient: string): void {
    const now = performance.now()
    this.paidAt.set(recipient, now)
    this.#waiting.get(recipient)?.(now)
    this.#waiting.delete(recipient)
  }
}
