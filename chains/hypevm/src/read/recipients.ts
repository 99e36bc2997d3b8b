import { larger } from '@causeway/core'
import type { Destination, RecipientStatus } from '@causeway/core/chain'
import { NATIVE, PERPS_PLACES, PLACEHOLDERS, USDC, USDC_DECIMALS } from '../address/addresses.js'
import { inPlaces, readAmount } from '../address/amounts.js'
import { askTransferCheck } from '../rpc/accounts.js'
import type { Asked } from '../rpc/exchangeNode.js'
import type { Asset } from '../rpc/tokens.js'

/** Bytes without a key: burn addresses and addresses of the exchange itself, which begin with `0x20` and end with a token index. */
const OWNERLESS = /^0x(?:0{36}dead|0{24}0{1,16}|20[0]{30}[0-9a-f]{8})$/

/** Whether no key can exist for an account. */
export const isOwnerless = (account: string): boolean => account !== NATIVE && OWNERLESS.test(account)

/** A recipient as the exchange sees it. */
export interface Recipient {
  /** Why the account cannot be paid, in plain words; null: it can. */
  readonly why: string | null
  /** Fee of the sender for a new account, in USDC of the service; 0: the account exists. */
  readonly activation: bigint
}

export interface RecipientQuestion {
  readonly account: string
  readonly payer: string
  readonly asset: Pick<Asset, 'symbol'>
  readonly roleOf: RoleOf
}

/** Role of an account (`askRole`), perhaps some minutes old: the question is the dearest of the API. */
export type RoleOf = (account: string) => Promise<string>

const KNOWN_ROLES: ReadonlySet<string> = new Set(['missing', 'user', 'subAccount'])

/**
 * Reads a recipient (chains.md hypevm 5): its role, and the checks that the exchange's own site makes. A new account costs its sender one
 * USDC at least; another token than USDC does not open one here, so that a payment and its fee are of one balance.
 * @throws ServiceError if the node does not answer
 */
export const askRecipient = async (
  asked: Asked,
  { account, payer, asset, roleOf }: RecipientQuestion,
): Promise<Recipient> => {
  const [role, { exists, isSanctioned, fee }] = await Promise.all([
    roleOf(account),
    askTransferCheck(asked, account, payer),
  ])
  const charged = inPlaces(readAmount(fee, PERPS_PLACES), PERPS_PLACES, USDC_DECIMALS)
  const activation = exists ? 0n : larger(charged, USDC)
  if (isSanctioned) return { why: 'The exchange does not let this account receive money.', activation }
  if (!KNOWN_ROLES.has(role)) return { why: roleProblem(role), activation }
  if (!exists && asset.symbol !== 'USDC')
    return { why: 'The account is not open yet. It begins with the first USDC: send some to it first.', activation }
  return { why: null, activation }
}

const roleProblem = (role: string): string => {
  if (role === 'vault') return 'This is a vault: it takes deposits of its members only.'
  if (role === 'agent')
    return 'This is an API wallet, which trades for another account and holds no money. Enter the account.'
  return `The account has a role that cannot be paid (${role.slice(0, 40)}).`
}

export interface RecipientTerms extends Pick<RecipientQuestion, 'payer' | 'roleOf'> {
  readonly asset: Asset | null
  readonly depository: string
}

/** Whether an account can be paid in a currency now, as one API server shows it. */
export const readRecipient = async (
  asked: Asked,
  { address }: Destination,
  { asset, depository, payer, roleOf }: RecipientTerms,
): Promise<RecipientStatus> => {
  if (PLACEHOLDERS.includes(address)) return { canReceive: true }
  if (address === depository) return { canReceive: false, why: 'The depository is not a recipient.' }
  if (asset === null) return { canReceive: false, why: 'The exchange does not have this currency.' }
  const { why } = await askRecipient(asked, { account: address, payer, asset, roleOf })
  return why === null ? { canReceive: true } : { canReceive: false, why }
}
