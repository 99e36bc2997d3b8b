import type { ChainRegistry } from '../chain/chainRegistry.js'
import { ServiceError } from '../errors/serviceError.js'
import type { Hex } from '../money/hex.js'
import { keccak256 } from '../order/keccak256.js'
import { mostAgreeing } from '../quorum/quorumTiers.js'
import { MAX_SIGNATURE_BYTES, type WalletAnswer } from './contractWallets.js'
import { recoverAddress } from './recoverAddress.js'
import type { SignatureClaim, SignatureVerdict, WalletSignatures } from './walletSignatures.js'

export interface ChainWalletSignaturesDeps {
  readonly chains: Pick<ChainRegistry, 'find'>
}

/** Each chain is a call to a node. */
const MOST_CHAINS = 8

const addressForm = /^0x[0-9a-f]{40}$/
const digestForm = /^0x[0-9a-f]{64}$/
const signatureForm = /^0x(?:[0-9a-f]{2})+$/

/** Judges by the key of an account first, then asks the contracts of the chains that may vouch. */
export class ChainWalletSignatures implements WalletSignatures {
  readonly #deps: ChainWalletSignaturesDeps

  constructor(deps: ChainWalletSignaturesDeps) {
    this.#deps = deps
  }

  async verify(claim: SignatureClaim): Promise<SignatureVerdict> {
    const [wallet, digest] = [claim.wallet.toLowerCase(), claim.digest.toLowerCase()]
    if (!digestForm.test(digest)) throw new RangeError('A digest that is signed is 32 bytes.')
    if ((claim.chainIds?.length ?? 0) > MOST_CHAINS) throw new RangeError(`At most ${MOST_CHAINS} chains may vouch.`)
    if (!addressForm.test(wallet)) return refused('The wallet is no address that could have signed')
    const signature = readSignature(claim.signature)
    if (signature === null) {
      return refused(`The signature must be 0x and whole bytes in hex, ${MAX_SIGNATURE_BYTES} at most`)
    }
    const recovered = recoverAddress(bytesOf(digest), bytesOf(signature), keccak256)
    if ('address' in recovered && recovered.address === wallet) return { kind: 'account' }
    // CAST: the pattern matched.
    return this.#askContracts({ ...claim, wallet, digest: digest as Hex, signature })
  }

  async #askContracts(claim: SignatureClaim & { readonly signature: Hex }): Promise<SignatureVerdict> {
    const { wallet, digest, signature, chainIds = [] } = claim
    const reasons = ['The signature is not by the key of the account']
    let failure: ServiceError | null = null
    for (const chainId of chainIds) {
      const asked = this.#contractsAt(chainId, wallet)
      if (asked === null) {
        reasons.push(`contract wallets of chain ${chainId} cannot be asked here`)
        continue
      }
      claim.beforeAsking?.(chainId)
      try {
        const question = { wallet: asked.address, digest, signature }
        const { agreeing } = asked
        const answer = await asked.contractWallets.verify(question, { agreeing })
        if (answer === 'valid') return { kind: 'contract', chainId, agreeing }
        reasons.push(WORDS[answer](chainId))
      } catch (error) {
        if (!ServiceError.is(error)) throw error
        failure = error
      }
    }
    if (failure !== null) throw failure
    return refused(reasons.join('; '))
  }

  /** Null where the chain is not configured, has no contract wallets, or such a thing is no address of it. */
  #contractsAt(chainId: number, wallet: string) {
    const { config, adapter } = this.#deps.chains.find(chainId) ?? {}
    if (config === undefined || adapter?.contractWallets === undefined) return null
    const address = adapter.validateAddress(wallet)
    if (!address.ok) return null
    return { address: address.canonical, contractWallets: adapter.contractWallets, agreeing: mostAgreeing(config) }
  }
}

const WORDS: Readonly<Record<Exclude<WalletAnswer, 'valid'>, (chainId: number) => string>> = {
  invalid: (chainId) => `the contract wallet on chain ${chainId} does not take it for its own`,
  absent: (chainId) => `there is no contract wallet at the address on chain ${chainId}`,
}

const refused = (reason: string): SignatureVerdict => ({ kind: 'refused', reason })

/** Bounded before it is looked at. */
const readSignature = (text: string): Hex | null => {
  if (text.length > 2 + 2 * MAX_SIGNATURE_BYTES) return null
  const lower = text.toLowerCase()
  // CAST: the pattern matched.
  return signatureForm.test(lower) ? (lower as Hex) : null
}

const bytesOf = (hex: string): Uint8Array => Buffer.from(hex.slice(2), 'hex')
