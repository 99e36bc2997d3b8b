import { BoundedCache, ServiceError, systemClock } from '@causeway/core'
import type { Asked } from '../rpc/mirrorNode.js'
import { askToken, type TokenState } from '../rpc/tokens.js'

/** Custom fees change rarely, and a transfer whose fees rose meanwhile brings less, which the mirror nodes show. */
const TOKEN_MS = 30_000
const MAX_TOKENS = 1000

/** Tokens as a mirror node shows them, each asked once for all callers within half a minute. */
export class TokenSource {
  readonly #asked: Asked
  readonly #tokens = new BoundedCache<TokenState | null>({
    ...{ clock: systemClock, maxEntries: MAX_TOKENS, lifeOf: () => TOKEN_MS },
  })

  constructor(asked: Asked) {
    this.#asked = asked
  }

  /** @throws ServiceError UNSUPPORTED_CURRENCY for a token that does not exist, or is an NFT */
  async token(id: string): Promise<TokenState> {
    const token = await this.#tokens.get(id, () => askToken(this.#asked, id))
    if (token?.isFungible === true) return token
    throw new ServiceError('UNSUPPORTED_CURRENCY', 'This is no fungible token of Hedera.')
  }
}
