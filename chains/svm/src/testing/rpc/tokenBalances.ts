import { base58 } from '@scure/base'

const TOKEN_PROGRAMS: ReadonlySet<string> = new Set([
  'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
  'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb',
])

const MINT_BYTES = 82
const ACCOUNT_BYTES = 165
const ACCOUNT_TYPE_MINT = 1

/** An account as the engine holds it. */
export interface EngineAccount {
  readonly lamports: bigint
  readonly owner: string
  readonly data: Uint8Array
  readonly executable: boolean
}

export interface TokenHolding {
  readonly mint: string
  readonly owner: string
  readonly amount: bigint
  readonly program: string
}

/** What a token account holds; null for anything else. */
export const holdingOf = (account: EngineAccount | null): TokenHolding | null => {
  if (account === null || !TOKEN_PROGRAMS.has(account.owner) || account.data.length < ACCOUNT_BYTES) return null
  const data = Buffer.from(account.data)
  if (data.length > ACCOUNT_BYTES && data[ACCOUNT_BYTES] === ACCOUNT_TYPE_MINT) return null
  return {
    mint: base58.encode(data.subarray(0, 32)),
    owner: base58.encode(data.subarray(32, 64)),
    amount: data.readBigUInt64LE(64),
    program: account.owner,
  }
}

export const decimalsOf = (mint: EngineAccount | null): number =>
  mint === null || mint.data.length < MINT_BYTES ? 0 : (mint.data[44] ?? 0)

/** `uiTokenAmount` of the RPC. */
export const tokenAmount = (amount: bigint, decimals: number) => {
  const digits = amount.toString().padStart(decimals + 1, '0')
  const fraction = decimals === 0 ? '' : digits.slice(-decimals).replace(/0+$/, '')
  const text = `${digits.slice(0, digits.length - decimals)}${fraction === '' ? '' : `.${fraction}`}`
  return { amount: amount.toString(), decimals, uiAmount: Number(text), uiAmountString: text }
}
