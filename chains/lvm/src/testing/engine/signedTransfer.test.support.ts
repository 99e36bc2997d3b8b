import { randomBytes } from 'node:crypto'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { LighterLedger } from './lighterLedger.js'
import { indexOfOwner } from './owner.js'
import { CHANGE_KEY, readTransaction, TRANSFER } from './readTransaction.js'

export const CHAIN_ID = 71_010
export const SLOT = 2
export const MINUTE = 60_000
/** Micro-USDC of one. */
export const DOLLAR = 1_000_000n

/** The owner of an account. */
export interface Party {
  readonly owner: PrivateKeyAccount
  readonly account: string
}

export const newParty = (): Party => {
  const owner = privateKeyToAccount(generatePrivateKey())
  return { owner, account: indexOfOwner(owner.address) }
}

export type Fields = Readonly<Record<string, unknown>>

/** A signature of an API key, by form. */
export const someSignature = (): string => randomBytes(80).toString('base64')

const signed = async (type: number, fields: Fields, owner: PrivateKeyAccount): Promise<Fields> => {
  const { ownerText } = readTransaction(type, JSON.stringify({ ...fields, L1Sig: '' }), CHAIN_ID)
  return { ...fields, L1Sig: await owner.signMessage({ message: ownerText }) }
}

/** A transfer of 10 USDC of perps with the signature of its owner. */
export const signedTransfer = (from: Party, to: string, changes: Fields = {}, signer = from.owner): Promise<Fields> => {
  const fields = {
    ...{ FromAccountIndex: Number(from.account), ApiKeyIndex: SLOT, ToAccountIndex: Number(to), AssetIndex: 3 },
    ...{ FromRouteType: 0, ToRouteType: 0, Amount: 10_000_000, USDCFee: 3_000_000, Memo: Array(32).fill(7) },
    ...{ ExpiredAt: Date.now() + 10 * MINUTE, Nonce: 0, Sig: someSignature() },
  }
  return signed(TRANSFER, { ...fields, ...changes }, signer)
}

/** The registration of an API key with the signature of its owner. */
export const signedKeyChange = (of: Party, changes: Fields = {}, signer = of.owner): Promise<Fields> => {
  const fields = {
    ...{ AccountIndex: Number(of.account), ApiKeyIndex: SLOT, PubKey: Buffer.alloc(40, 9).toString('base64') },
    ...{ ExpiredAt: Date.now() + 10 * MINUTE, Nonce: 0, Sig: someSignature() },
  }
  return signed(CHANGE_KEY, { ...fields, ...changes }, signer)
}

/** An exchange with a payer, who holds 100 USDC of perps and has an API key, and a receiver. */
export const testedExchange = (
  [payer, receiver]: readonly [Party, Party] = [newParty(), newParty()],
  chainId = CHAIN_ID,
) => {
  const exchange = new LighterLedger(chainId)
  exchange.openAccount(payer.owner.address, { [SLOT]: '11'.repeat(40) })
  exchange.openAccount(receiver.owner.address)
  exchange.fund(payer.account, 100n * DOLLAR)
  exchange.close()
  return { exchange, payer, receiver }
}
