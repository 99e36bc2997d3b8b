import { BoundedCache, type Clock } from '@causeway/core'
import {
  type ChainRegistry,
  Content,
  type Deployment,
  loopbackOrigin,
  type RequestContext,
  type TrackedRequest,
  type TrackedRequests,
} from '@causeway/core/plugin'
import type { Preview } from '../pages/shellPage.js'
import { cut, drawPicture, type PictureFacts } from './previewPicture.js'
import { STATUS_WORDS } from './statusWords.js'

export interface TrackPreviewsDeps {
  readonly tracked: TrackedRequests
  readonly chains: ChainRegistry
  readonly deployment: Pick<Deployment, 'listener'>
  readonly clock: Clock
  /** Origin under which people reach this deployment; null: not configured. */
  readonly publicUrl: string | null
  /** Whether the packages that draw pictures are installed. */
  readonly draws: boolean
}

const MAX_PICTURES = 200
/** Longer names say no more. */
const MAX_NAME = 40
const KEEP_MS = 3_600_000
const UNNAMED = 'another chain'

const UNKNOWN: Preview = {
  title: 'Where is my transfer? · Causeway',
  description: 'Follow a transfer across chains by its id, its order or any of its transactions.',
  image: null,
}

/** What a link to a transfer says of itself where it is shared: its status, and between which chains. */
export class TrackPreviews {
  readonly #deps: TrackPreviewsDeps
  readonly #pictures: BoundedCache<Content | null>

  constructor(deps: TrackPreviewsDeps) {
    this.#deps = deps
    this.#pictures = new BoundedCache({ clock: deps.clock, maxEntries: MAX_PICTURES, lifeOf: () => KEEP_MS })
  }

  /** A link to nothing reads as the page without an id does. */
  preview(found: TrackedRequest | null, ctx: Pick<RequestContext, 'headers'>): Preview {
    if (found === null) return UNKNOWN
    const { requestId, status, from, to } = this.#factsOf(found)
    const { draws, publicUrl, deployment } = this.#deps
    const origin = draws ? (publicUrl ?? loopbackOrigin(deployment.listener, ctx.headers)) : null
    const { title, describe } = STATUS_WORDS[status]
    return {
      title: `${title} · Causeway`,
      description: describe(from, to),
      // The status is in the address, since those who show links keep pictures by address.
      image: origin === null ? null : `${origin}/track/${requestId}/preview.png?status=${status}`,
    }
  }

  /** The picture of that link; null for an unknown id, and where no renderer is installed. */
  async picture(id: string): Promise<Content | null> {
    if (!this.#deps.draws) return null
    const found = await this.#deps.tracked.find(id.trim())
    if (found === null) return null
    const facts = this.#factsOf(found)
    return this.#pictures.get(`${facts.requestId}:${facts.status}`, async () => {
      const png = await drawPicture(facts)
      return png === null ? null : new Content('image/png', png)
    })
  }

  #factsOf({ requestId, status, originChainId, destinationChainId }: TrackedRequest): PictureFacts {
    return { requestId, status, from: this.#nameOf(originChainId), to: this.#nameOf(destinationChainId) }
  }

  /** Nothing is told of a private chain to whoever only follows a link (wire.md K.3 8). */
  #nameOf(chainId: number): string {
    const config = this.#deps.chains.find(chainId)?.config
    return config === undefined || config.privateId !== undefined ? UNNAMED : cut(config.name, MAX_NAME)
  }
}
