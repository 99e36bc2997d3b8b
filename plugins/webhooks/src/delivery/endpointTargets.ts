import type { SealedValues } from '@causeway/core/plugin'
import { type EndpointTarget, parseTargetText } from '../endpoint/endpointStore.js'

const MAX_KEPT = 10_000

/** The opened targets of endpoints, kept until an endpoint changes. */
export class EndpointTargets {
  readonly #values: SealedValues
  readonly #kept = new Map<string, { readonly version: number; readonly target: EndpointTarget }>()

  constructor(deps: { readonly values: SealedValues }) {
    this.#values = deps.values
  }

  /** Targets by sealed id; one that was just removed, or cannot be opened, is left out. */
  async of(
    endpoints: readonly { readonly sealedId: string; readonly endpointVersion: number }[],
  ): Promise<ReadonlyMap<string, EndpointTarget>> {
    const wanted = new Map(endpoints.map(({ sealedId, endpointVersion }) => [sealedId, endpointVersion]))
    const missing = [...wanted].filter(([id, version]) => this.#kept.get(id)?.version !== version)
    if (missing.length > 0) {
      if (this.#kept.size + missing.length > MAX_KEPT) this.#kept.clear()
      const opened = await this.#values.tryGet(missing.map(([id]) => id))
      for (const [id, version] of missing) {
        const text = opened.get(id)
        if (text === undefined || text === null) this.#kept.delete(id)
        else this.#kept.set(id, { version, target: parseTargetText(text) })
      }
    }
    return new Map(
      [...wanted.keys()].flatMap((id) => {
        const kept = this.#kept.get(id)
        return kept === undefined ? [] : [[id, kept.target] as const]
      }),
    )
  }
}
