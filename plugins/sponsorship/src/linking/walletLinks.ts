import { type Clock, ServiceError } from '@causeway/core'
import {
  type BalanceCurrency,
  type DatabaseClient,
  type DatabasePool,
  type Deployment,
  type FundingWallet,
  linkFundingWallet,
  personalDigest,
  readFundingWallet,
  recordAudit,
  unlinkFundingWallet,
  type WalletSignatures,
  withTransaction,
} from '@causeway/core/plugin'
import { linkMessage } from './linkMessage.js'
import type { LinkNonces, LinkParties } from './linkNonces.js'

export interface WalletLinksDeps {
  readonly pool: DatabasePool
  readonly clock: Clock
  readonly deployment: Deployment
  readonly signatures: WalletSignatures
  readonly nonces: LinkNonces
  readonly balanceCurrency: BalanceCurrency
}

/** Who changes a link, for the audit; and why, where an operator does. */
export interface LinkDeed {
  readonly actor: string
  readonly reason?: string
}

/** A message that was signed. */
export interface SignedLink extends LinkParties {
  readonly nonce: string
  readonly signature: string
}

const ADDRESS = /^0x[0-9a-f]{40}$/
const ZERO = `0x${'0'.repeat(40)}`

/** The wallet in lower case. Throws ServiceError `INVALID_ADDRESS` for what is no EVM address, or is nobody's. */
export const readWallet = (text: string): string => {
  const wallet = text.toLowerCase()
  if (ADDRESS.test(wallet) && wallet !== ZERO) return wallet
  throw new ServiceError('INVALID_ADDRESS', 'The wallet must be an EVM address, 0x and 40 hex digits, and not zero')
}

const refused = (message: string): ServiceError => new ServiceError('INVALID_REQUEST', message)

/** Links wallets to the integrators that they pay for (wire.md 5.3): a wallet agrees by its signature. */
export class WalletLinks {
  readonly #deps: WalletLinksDeps

  constructor(deps: WalletLinksDeps) {
    this.#deps = deps
  }

  /** The text that the wallet is to sign, for ten minutes and once. */
  message(parties: LinkParties): { readonly message: string; readonly nonce: string; readonly expiresAt: number } {
    const issued = this.#deps.nonces.issue(parties)
    return { message: linkMessage(this.#deps.deployment, parties, issued), ...issued }
  }

  /**
   * Links the wallet that signed, in place of the one before. Throws ServiceError `INVALID_REQUEST` with the reason where it did not sign
   * just this, or the message is over.
   */
  async link({ signature, nonce, ...parties }: SignedLink, deed: LinkDeed): Promise<void> {
    const { nonces, clock, deployment, pool } = this.#deps
    const expiresAt = nonces.expiryOf(nonce, parties)
    if (expiresAt === null) throw refused('The nonce was not given out here for this wallet and integrator')
    if (expiresAt <= clock.now()) throw refused('The message is over; ask for a new one and sign again')
    await this.#requireSignature(parties.wallet, linkMessage(deployment, parties, { nonce, expiresAt }), signature)
    await withTransaction(pool, async (client) => {
      if (!(await nonces.use(client, nonce, expiresAt)))
        throw refused('The message was used already; ask for a new one')
      await this.#store(client, parties, deed)
    })
  }

  /** Links a wallet that is known to agree: it is signed in, or an operator knows it. */
  async linkKnown(parties: LinkParties, deed: LinkDeed): Promise<void> {
    await withTransaction(this.#deps.pool, (client) => this.#store(client, parties, deed))
  }

  /** Takes a link back; the wallet it was, null where there was none. */
  async unlink(integratorId: string, deed: LinkDeed): Promise<string | null> {
    return withTransaction(this.#deps.pool, async (client) => {
      const wallet = await unlinkFundingWallet(client, integratorId)
      if (wallet !== null) await this.#audit(client, 'integrators wallet --remove', { integratorId, wallet }, deed)
      return wallet
    })
  }

  /** The linked wallet with its balance; null: none. */
  find(integratorId: string): Promise<FundingWallet | null> {
    const { pool, balanceCurrency, clock } = this.#deps
    return readFundingWallet(pool, integratorId, balanceCurrency, clock.now())
  }

  /**
   * A contract vouches on the chain of balances alone, where what it is owed is claimed: elsewhere the address may be somebody else's.
   */
  async #requireSignature(wallet: string, message: string, signature: string): Promise<void> {
    const { signatures, balanceCurrency } = this.#deps
    const claim = { wallet, digest: personalDigest(message), signature, chainIds: [balanceCurrency.chainId] }
    const verdict = await signatures.verify(claim)
    if (verdict.kind === 'refused') throw refused(`${verdict.reason}. Sign the message exactly as it was given`)
  }

  async #store(client: DatabaseClient, parties: LinkParties, deed: LinkDeed): Promise<void> {
    await linkFundingWallet(client, { ...parties, now: this.#deps.clock.now() })
    await this.#audit(client, 'integrators wallet', parties, deed)
  }

  async #audit(
    client: DatabaseClient,
    action: string,
    { integratorId, wallet }: LinkParties,
    { actor, reason }: LinkDeed,
  ): Promise<void> {
    const details = { wallet, ...(reason === undefined ? {} : { reason }) }
    const entry = { at: this.#deps.clock.now(), actor, action, subject: `integrator ${integratorId}`, details }
    await recordAudit(client, entry)
  }
}
