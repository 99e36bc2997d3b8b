import { type Hex, hexToBytes, ServiceError } from '@causeway/core'
import { type Signer, signChecked } from '@causeway/core/chain'
import { evmAddressOfKey } from '@causeway/core/chain-kit'
import { hashTypedData } from 'viem/utils'

type Signing = typeof import('@nktkas/hyperliquid/signing')

let loading: Promise<Signing> | null = null

/** The signing part of the SDK: only a chain that pays loads it. */
export const loadSigning = (): Promise<Signing> => {
  loading ??= import('@nktkas/hyperliquid/signing').catch((error: unknown) => {
    loading = null
    throw error
  })
  return loading
}

/** A signature as the exchange takes it: `r` and `s` of 32 bytes each. */
export interface ActionSignature {
  readonly r: string
  readonly s: string
  readonly v: number
}

/** A signer of the service as a wallet of the SDK. */
const walletOf = (signer: Signer) => ({
  // CAST: an address is 0x and 40 hex digits.
  address: evmAddressOfKey(signer.publicKey) as Hex,
  signTypedData: async (typed: object): Promise<Hex> => {
    // CAST: typed data of the SDK, whose types are not literal.
    const digest = hashTypedData(typed as unknown as Parameters<typeof hashTypedData>[0])
    const signature = await signChecked(signer, hexToBytes(digest, 'digest'))
    return `0x${Buffer.from(signature).toString('hex')}`
  },
})

export interface UserAction {
  /** Hex of the EIP-155 id that the action is signed for. */
  readonly signatureChainId: Hex
  readonly [field: string]: unknown
}

type Fields = Readonly<Record<string, readonly { readonly name: string; readonly type: string }[]>>

/** Signs an action of a user, such as a transfer (EIP-712). @throws ServiceError when the signer does not sign, or signs something else */
export const signUserAction = async (signer: Signer, action: UserAction, types: Fields): Promise<ActionSignature> => {
  const { signUserSignedAction } = await loadSigning()
  const copied = Object.fromEntries(
    Object.entries(types).map(([name, fields]) => [name, fields.map((one) => ({ ...one }))]),
  )
  return signUserSignedAction({ wallet: walletOf(signer), action, types: copied }).catch(unwrapped)
}

export interface ExchangeAction {
  readonly action: Record<string, unknown>
  readonly nonce: number
  readonly isTestnet: boolean
}

/** Signs an action of the exchange itself, such as `noop`. The order of its keys is part of what is signed. */
export const signExchangeAction = async (
  signer: Signer,
  { action, nonce, isTestnet }: ExchangeAction,
): Promise<ActionSignature> => {
  const { signL1Action } = await loadSigning()
  return signL1Action({ wallet: walletOf(signer), action, nonce, isTestnet }).catch(unwrapped)
}

/** The SDK hides why a wallet did not sign. */
const unwrapped = (error: unknown): never => {
  throw error instanceof Error && ServiceError.is(error.cause) ? error.cause : error
}
