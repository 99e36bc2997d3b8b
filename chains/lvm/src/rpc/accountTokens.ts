import { ServiceError } from '@causeway/core'
import type { AccessToken, AccessTokens, ChainDeps } from '@causeway/core/chain'
import type { ApiKeys } from '../lane/apiKeys.js'
import type { LighterSigner } from '../lane/lighterSigner.js'
import { TokenRefused } from './lighterNode.js'

/** The exchange takes tokens of at most eight hours. */
const LIFE_MS = 7 * 3600_000
/** A token is made anew once so much of its life is left, which is how long watchers go on without the role solver. */
const RENEWAL_MS = LIFE_MS / 2
/** A token with less time left is not used: the clocks of exchange and host differ. */
const LEAST_MS = 30_000
const CHECK_MS = 600_000

export interface AccountTokensDeps {
  readonly chainId: number
  /** Unix milliseconds by the clock of this process and by the newest block, whichever is later. */
  now(): Promise<number>
  readonly logger: ChainDeps['logger']
  readonly keys: Pick<ApiKeys, 'find'>
  readonly signer: Pick<LighterSigner, 'authToken'>
  /** Tokens of the deployment; null: this process has the key, or reads nothing. */
  readonly stored: AccessTokens | null
}

/**
 * Access tokens by which the list of an account's transactions is read (chains.md lvm 4). A process with the API key makes and stores them;
 * any other process uses the stored ones. A token ends within hours and cannot sign a transaction.
 */
export class AccountTokens {
  readonly #deps: AccountTokensDeps
  readonly #known = new Map<string, AccessToken>()
  readonly #making = new Map<string, Promise<AccessToken>>()
  #timer: NodeJS.Timeout | undefined

  constructor(deps: AccountTokensDeps) {
    this.#deps = deps
  }

  /** A valid token of an account. @throws ServiceError SERVICE_UNAVAILABLE, with the remedy, where there is none */
  async tokenOf(account: string): Promise<string> {
    const known = this.#known.get(account)
    const now = await this.#deps.now()
    if (known !== undefined && isUsable(known, now)) return known.token
    if (this.#deps.keys.find(account) !== null) return (await this.#make(account)).token
    const { stored, chainId } = this.#deps
    const found = (await stored?.load(chainId, account)) ?? null
    if (found === null || !isUsable(found, now)) throw missing(account, found)
    this.#known.set(account, found)
    return found.token
  }

  /** Asks by a token of an account; a refused token is forgotten, so that the next one is made or loaded. */
  async using<T>(account: string, ask: (token: string) => Promise<T>): Promise<T> {
    const token = await this.tokenOf(account)
    try {
      return await ask(token)
    } catch (error) {
      if (error instanceof TokenRefused) this.#known.delete(account)
      throw error
    }
  }

  /** Keeps stored tokens of accounts fresh until the signal aborts, as far as this process has their API keys. */
  keep(accounts: readonly string[], signal: AbortSignal): void {
    const { stored, keys, logger } = this.#deps
    const own = stored === null ? [] : accounts.filter((account) => keys.find(account) !== null)
    const renew = () => {
      for (const account of own)
        this.#renew(account).catch((error: unknown) => {
          logger.warn({ err: error, account }, 'no access token of a Lighter account could be made')
        })
    }
    this.stop()
    this.#timer = setInterval(renew, CHECK_MS)
    this.#timer.unref()
    signal.addEventListener('abort', () => this.stop(), { once: true })
    renew()
  }

  /** Ends `keep`. */
  stop(): void {
    clearInterval(this.#timer)
  }

  async #renew(account: string): Promise<void> {
    const known = this.#known.get(account)
    if (known === undefined || known.expiresAt - (await this.#deps.now()) < RENEWAL_MS) await this.#make(account)
  }

  #make(account: string): Promise<AccessToken> {
    const running = this.#making.get(account)
    if (running !== undefined) return running
    const made = this.#sign(account).finally(() => this.#making.delete(account))
    this.#making.set(account, made)
    return made
  }

  async #sign(account: string): Promise<AccessToken> {
    const { keys, signer, stored, chainId } = this.#deps
    const key = keys.find(account)
    if (key === null) throw missing(account, null)
    const deadline = Math.floor(((await this.#deps.now()) + LIFE_MS) / 1000)
    const made = { token: await signer.authToken(key, deadline), expiresAt: deadline * 1000 }
    this.#known.set(account, made)
    await stored?.save(chainId, account, made)
    return made
  }
}

const isUsable = ({ expiresAt }: AccessToken, now: number): boolean => expiresAt - now > LEAST_MS

const missing = (account: string, found: AccessToken | null): ServiceError =>
  new ServiceError(
    'SERVICE_UNAVAILABLE',
    `${found === null ? 'There is no access token' : 'The access token has expired'} of the Lighter account ${account}. Start a process with the role solver that has the API key of the account.`,
  )
