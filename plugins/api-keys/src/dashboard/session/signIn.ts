import { type Clock, ServiceError } from '@causeway/core'
import { type DatabasePool, type RequestContext, type WalletSignatures, withTransaction } from '@causeway/core/plugin'
import type { PoolClient } from 'pg'
import { actorName, recordDeed } from '../dashboardActor.js'
import type { OperatorTokens } from '../operatorTokens.js'
import type { ContractQuestions } from './contractQuestions.js'
import type { SessionStore } from './sessionStore.js'
import type { SignInAudit } from './signInAudit.js'
import { checkSignInMessage, type SignedMessage } from './signInMessage.js'
import { NONCE_LIFE_MS, type SignInNonces } from './signInNonces.js'
import type { WalletStore } from './walletStore.js'

export interface SignInDeps {
  readonly pool: DatabasePool
  readonly clock: Clock
  readonly nonces: SignInNonces
  readonly wallets: WalletStore
  readonly signatures: WalletSignatures
  readonly questions: ContractQuestions
  readonly sessions: SessionStore
  readonly operatorTokens: OperatorTokens
  readonly audit: SignInAudit
  readonly selfServe: boolean
  chainIds(): readonly number[]
}

/** The sentence a wallet shows to the one who signs. */
export const STATEMENT = 'Sign in to manage the API keys of this service. This costs nothing and sends no transaction.'

/** Opens sessions: for a wallet by a signed message, for an operator by a token of the command line. */
export class SignIn {
  readonly #deps: SignInDeps

  constructor(deps: SignInDeps) {
    this.#deps = deps
  }

  /** The token of a new session. Throws `ServiceError` `UNAUTHORIZED` with a reason, `FORBIDDEN` for a wallet nobody linked, `HttpError` 429. */
  byWallet(signed: SignedMessage, origin: string, ctx: RequestContext): Promise<string> {
    return this.#audited('wallet', ctx, async () => {
      const { clock, nonces, wallets, signatures, questions, chainIds, selfServe } = this.#deps
      const { nonce, ...signer } = await checkSignInMessage(signed, {
        origin,
        chainIds: chainIds(),
        statement: STATEMENT,
        now: clock.now(),
        maxAgeMs: NONCE_LIFE_MS,
        judgeNonce: (text) => nonces.judge(text),
        signatures,
        beforeAsking: () => questions.take(ctx),
      })
      return withTransaction(this.#deps.pool, async (client) => {
        if (!(await nonces.use(client, nonce))) {
          throw new ServiceError('UNAUTHORIZED', 'The nonce was used before; ask for a new one and sign again')
        }
        const { isNew } = await wallets.signIn(client, signer, selfServe)
        const { address, chainId } = signer
        return this.#open(client, ctx, address, { isNew, ...(chainId === null ? {} : { chainId }) })
      })
    })
  }

  /** The token of a new operator's session. Throws `ServiceError` `UNAUTHORIZED`. */
  byOperatorToken(token: string, ctx: RequestContext): Promise<string> {
    return this.#audited('operator-token', ctx, () =>
      withTransaction(this.#deps.pool, async (client) => {
        if (!(await this.#deps.operatorTokens.use(client, token))) {
          throw new ServiceError('UNAUTHORIZED', 'The token is unknown, used or older than 15 minutes; make a new one')
        }
        return this.#open(client, ctx, null, {})
      }),
    )
  }

  async #open(
    client: PoolClient,
    ctx: RequestContext,
    wallet: string | null,
    details: Readonly<Record<string, boolean | number>>,
  ): Promise<string> {
    const { id, token } = await this.#deps.sessions.open(client, wallet, ctx)
    const deed = { actor: actorName(wallet, ctx), action: 'dashboard sign-in', subject: `session ${id}`, details }
    await recordDeed(client, this.#deps.clock, deed)
    return token
  }

  async #audited<T>(way: 'wallet' | 'operator-token', ctx: RequestContext, work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      if (ServiceError.is(error) && error.status < 500) await this.#deps.audit.refused(ctx, way, error.message)
      throw error
    }
  }
}
