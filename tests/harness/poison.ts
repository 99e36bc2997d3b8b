import type { Hex } from '@causeway/core'
import type { ChainAdapter, LaneAdapter } from '@causeway/core/chain'

/** What a poisoned call does: throws something that no contract knows, or never comes back. */
export type Poison = 'throws' | 'hangs'

/** The calls of an adapter that can be poisoned for one order. */
export type PoisonedCall = 'simulate' | 'prepare' | 'broadcast' | 'states'

/** Makes calls of adapters fail wherever a poisoned order is among what they are asked about. */
export class Poisoner {
  readonly #poisons = new Map<Hex, { readonly call: PoisonedCall; readonly how: Poison }>()

  poison(orderId: Hex, call: PoisonedCall, how: Poison): void {
    this.#poisons.set(orderId, { call, how })
  }

  /** That order, or all of them. */
  heal(orderId?: Hex): void {
    if (orderId === undefined) this.#poisons.clear()
    else this.#poisons.delete(orderId)
  }

  /** The adapter with its poison. */
  readonly wrap = (adapter: ChainAdapter): ChainAdapter => {
    const { lane } = adapter
    const calls: Partial<LaneAdapter> = {
      prepare: async (payouts, position) => {
        await this.#meet(
          'prepare',
          payouts.map(({ payout }) => payout.orderId),
        )
        return lane.prepare(payouts, position)
      },
      broadcast: async (attempts) => {
        await this.#meet('broadcast', [], JSON.stringify(attempts.map(({ transaction }) => transaction)))
        return lane.broadcast(attempts)
      },
      states: async (attempts) => {
        await this.#meet(
          'states',
          attempts.map(({ payout }) => payout.orderId),
        )
        return lane.states(attempts)
      },
    }
    const simulate: ChainAdapter['simulate'] = async (payout, ...rest) => {
      await this.#meet('simulate', [payout.orderId])
      return adapter.simulate(payout, ...rest)
    }
    return changed(adapter, { simulate, lane: changed(lane, calls) })
  }

  async #meet(call: PoisonedCall, orderIds: readonly Hex[], text = ''): Promise<void> {
    const met = [...this.#poisons].find(
      ([id, poison]) => poison.call === call && (orderIds.includes(id) || text.includes(id.slice(2))),
    )
    if (met === undefined) return
    if (met[1].how === 'hangs') return new Promise(() => undefined)
    throw new TypeError('Cannot read properties of undefined (reading "https://key@node.example/secret")')
  }
}

/** The same object with other members in some places. */
const changed = <Target extends object>(target: Target, members: Partial<Target>): Target =>
  new Proxy(target, {
    get: (_, name) => {
      if (Object.hasOwn(members, name)) return Reflect.get(members, name)
      const member: unknown = Reflect.get(target, name)
      return typeof member === 'function' ? member.bind(target) : member
    },
  })
