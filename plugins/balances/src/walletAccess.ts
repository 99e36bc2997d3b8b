import { createHash, timingSafeEqual } from 'node:crypto'
import { ServiceError } from '@causeway/core'
import {
  type Caller,
  type DatabasePool,
  findFundingWallet,
  HttpError,
  ownsAs,
  RULE_KEYWORD,
} from '@causeway/core/plugin'
import { Type } from '@sinclair/typebox'

export const WalletParams = Type.Object({
  wallet: Type.String({
    maxLength: 42,
    pattern: '^0x[0-9a-fA-F]{40}$',
    [RULE_KEYWORD]: 'must be an EVM address',
    examples: [`0x${'5a'.repeat(20)}`],
  }),
})

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

/** Takes as long whatever is shown, and tells nothing of how much of it was right. */
const isSecret = (shown: string, secret: string): boolean => timingSafeEqual(digest(shown), digest(secret))

/** Refuses whoever is not the integrator whose funding wallet it is. @throws ServiceError */
export const requireOwner = async (pool: DatabasePool, wallet: string, caller: Caller): Promise<void> => {
  if (caller.kind === 'integrator' && ownsAs(caller, caller.integratorId)) {
    if ((await findFundingWallet(pool, caller.integratorId)) === wallet) return
  }
  throw new ServiceError('FORBIDDEN', 'This key is not of the integrator whose funding wallet this is')
}

/** Refuses whoever shows neither the secret of the deployment nor the key of the wallet's integrator. @throws ServiceError, HttpError */
export const requireReader = async (
  { pool, secret }: { readonly pool: DatabasePool; readonly secret: string | null },
  wallet: string,
  { shown, caller }: { readonly shown: string | undefined; readonly caller: Caller },
): Promise<void> => {
  if (shown !== undefined) {
    if (secret !== null && isSecret(shown, secret)) return
    throw new HttpError(401, 'The id is not valid')
  }
  if (caller.kind === 'anonymous') {
    throw new HttpError(
      401,
      'Give the secret in the query parameter id, or the key of the wallet’s integrator in x-api-key',
    )
  }
  await requireOwner(pool, wallet, caller)
}
