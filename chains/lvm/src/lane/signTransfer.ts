import { type Hex, ServiceError } from '@causeway/core'
import { type Signer, signChecked } from '@causeway/core/chain'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { indexOf } from '../address/addresses.js'
import type { PreparedTransfer } from '../payout/paymentForm.js'
import type { LighterSigner, SigningKey } from './lighterSigner.js'

/** A number as the text that owners sign has it. */
export const word = (value: bigint | number | string): string => `0x${BigInt(value).toString(16).padStart(16, '0')}`

/** The text by which an owner's Ethereum key approves a transfer (chains.md lvm 3). */
export const transferText = (
  { nonce, from, to, route, apiKeyIndex, asset, amount, fee, memo }: PreparedTransfer,
  signingChainId: number,
): string =>
  [
    'Transfer\n',
    `nonce: ${word(nonce)}`,
    `from: ${word(from)} (route ${word(route)})`,
    `api key: ${word(apiKeyIndex)}`,
    `to: ${word(to)} (route ${word(route)})`,
    `asset: ${word(asset)}`,
    `amount: ${word(amount)}`,
    `fee: ${word(fee)}`,
    `chainId: ${word(signingChainId)}`,
    `memo: ${memo}`,
    'Only sign this message for a trusted client!',
  ].join('\n')

const RECOVERY_AT = 64
/** Ethereum writes the recovery bit as 27 or 28. */
const RECOVERY_BASE = 27

/** Signature of a text by an Ethereum key (EIP-191), in hex. */
export const signText = async (text: string, signer: Signer): Promise<Hex> => {
  const bytes = Buffer.from(text, 'utf8')
  const prefix = Buffer.from(`\x19Ethereum Signed Message:\n${bytes.length}`, 'utf8')
  const signature = Buffer.from(await signChecked(signer, keccak_256(Buffer.concat([prefix, bytes]))))
  const recovery = signature[RECOVERY_AT] ?? 0
  signature[RECOVERY_AT] = recovery < RECOVERY_BASE ? recovery + RECOVERY_BASE : recovery
  return `0x${signature.toString('hex')}`
}

export interface TransferSigners {
  readonly signer: Pick<LighterSigner, 'transfer'>
  readonly key: SigningKey
  /** The Ethereum key that owns the account. */
  readonly owner: Signer
}

/**
 * Signs a transfer by the API key and by the owner. `raw` is the text that the exchange takes.
 * @throws ServiceError SERVICE_UNAVAILABLE when a signer does not sign, or signs something else
 */
export const signTransfer = async (
  transfer: PreparedTransfer,
  { signer, key, owner }: TransferSigners,
): Promise<{ readonly txId: string; readonly raw: Hex }> => {
  const { to, asset, route, amount, fee, memo, nonce, expiredAt } = transfer
  const [{ txInfo, txHash }, L1Sig] = await Promise.all([
    signer.transfer(key, {
      ...{ to: indexOf(to), asset, fromRoute: route, toRoute: route, memo },
      ...{ amount: Number(amount), fee: Number(fee), nonce: Number(nonce), expiredAt: Number(expiredAt) },
    }),
    signText(transferText(transfer, key.chainId), owner),
  ])
  const info: unknown = JSON.parse(txInfo)
  if (typeof info !== 'object' || info === null || !isOf(info, transfer))
    throw new ServiceError('SERVICE_UNAVAILABLE', 'The Lighter signer signed something else.')
  const text = JSON.stringify({ ...info, L1Sig })
  return { txId: txHash, raw: `0x${Buffer.from(text, 'utf8').toString('hex')}` }
}

/** Whether the fields of a signed transfer are those that were to be signed. */
const isOf = (info: object, transfer: PreparedTransfer): boolean => {
  const { from, to, asset, route, amount, fee, memo, nonce, expiredAt, apiKeyIndex } = transfer
  const wanted: Readonly<Record<string, string>> = {
    ...{ FromAccountIndex: from, ToAccountIndex: to, ApiKeyIndex: String(apiKeyIndex), AssetIndex: String(asset) },
    ...{ FromRouteType: String(route), ToRouteType: String(route), Amount: amount, USDCFee: fee },
    ...{ Nonce: nonce, ExpiredAt: expiredAt, Memo: Buffer.from(memo, 'hex').join() },
  }
  return Object.entries(wanted).every(([name, value]) => String(Reflect.get(info, name)) === value)
}

/** The text of a signed transfer, as it was stored. */
export const textOf = (raw: Hex): string => Buffer.from(raw.slice(2), 'hex').toString('utf8')
