import { createHash } from 'node:crypto'
import { crypto, opcodes, payments, type Signer, script, type Transaction } from 'bitcoinjs-lib'
import { base58check } from '../address/addresses.js'
import { ecc } from '../network/curve.js'
import { REGTEST } from './chain/regtest.js'

/** The kinds of coin an account can spend; that of `p2wsh` asks for one signature of one key. */
export type SpendForm = 'p2pkh' | 'p2sh-p2wpkh' | 'p2wpkh' | 'p2wsh' | 'p2tr'

/** All of them. */
export const SPEND_FORMS: readonly SpendForm[] = ['p2pkh', 'p2sh-p2wpkh', 'p2wpkh', 'p2wsh', 'p2tr']

/** A key and its addresses. */
export interface BitcoinAccount {
  /** Signs for bitcoinjs-lib's `Psbt`. */
  readonly key: Signer
  /** Signs for its taproot output. */
  readonly taprootKey: Required<Pick<Signer, 'publicKey' | 'sign' | 'signSchnorr'>>
  /** The key as wallets take it in. */
  readonly wif: string
  /** 33 bytes. */
  readonly publicKey: Uint8Array
  /** 32 bytes: the internal key of its taproot output. */
  readonly xOnlyKey: Uint8Array
  readonly addresses: Readonly<Record<SpendForm, string>>
  readonly scripts: Readonly<Record<SpendForm, Uint8Array>>
  /** What its `p2wsh` output hashes. */
  readonly witnessScript: Uint8Array
}

/** The account of a key as wallets take it in. @throws Error when it is none */
export const accountOfWif = (wif: string): BitcoinAccount => accountOf(base58check.decode(wif).subarray(1, 33))

/** The account of a 32-byte private key. */
export const accountOf = (privateKey: Uint8Array): BitcoinAccount => {
  const key = keyOf(privateKey)
  const { publicKey } = key
  const witnessScript = script.compile([publicKey, opcodes.OP_CHECKSIG ?? 0xac])
  const network = REGTEST
  const outputs = {
    p2pkh: payments.p2pkh({ pubkey: publicKey, network }),
    'p2sh-p2wpkh': payments.p2sh({ redeem: payments.p2wpkh({ pubkey: publicKey, network }), network }),
    p2wpkh: payments.p2wpkh({ pubkey: publicKey, network }),
    p2wsh: payments.p2wsh({ redeem: { output: witnessScript, network }, network }),
    p2tr: payments.p2tr({ internalPubkey: publicKey.slice(1), network }),
  }
  const each = <T>(read: (form: SpendForm) => T | undefined): Readonly<Record<SpendForm, T>> => {
    const part = (form: SpendForm): T => {
      const found = read(form)
      if (found === undefined) throw new Error(`there is no ${form} output`)
      return found
    }
    return {
      p2pkh: part('p2pkh'),
      'p2sh-p2wpkh': part('p2sh-p2wpkh'),
      p2wpkh: part('p2wpkh'),
      p2wsh: part('p2wsh'),
      p2tr: part('p2tr'),
    }
  }
  return {
    key,
    taprootKey: keyOf(tweakedOf(privateKey, publicKey)),
    wif: base58check.encode(Uint8Array.of(REGTEST.wif, ...privateKey, 1)),
    publicKey,
    xOnlyKey: publicKey.slice(1),
    addresses: each((form) => outputs[form].address),
    scripts: each((form) => outputs[form].output),
    witnessScript,
  }
}

/** A key as bitcoinjs-lib signs with it. */
const keyOf = (privateKey: Uint8Array) => {
  const publicKey = ecc.pointFromScalar(privateKey, true)
  if (publicKey === null) throw new Error('the bytes are no private key')
  return {
    publicKey,
    sign: (hash: Uint8Array) => ecc.sign(hash, privateKey),
    signSchnorr: (hash: Uint8Array) => ecc.signSchnorr(hash, privateKey),
  }
}

/** The same on every chain. */
export const accountNumber = (at: number): BitcoinAccount =>
  accountOf(createHash('sha256').update(`causeway local bitcoin account ${at}`).digest())

/** A coin as its spender knows it. */
export interface SpendableCoin {
  readonly txid: string
  readonly vout: number
  readonly value: bigint
  readonly form: SpendForm
}

const ALL = 1
const DEFAULT = 0

/** Signs every input of a transaction, whose coins stand in the same order. */
export const signAll = (tx: Transaction, account: BitcoinAccount, coins: readonly SpendableCoin[]): void => {
  for (const [at, { form, value }] of coins.entries()) {
    if (form === 'p2tr') tx.setWitness(at, [taprootSignature(tx, account, coins, at)])
    else if (form === 'p2pkh') tx.setInputScript(at, legacyScript(tx, account, at))
    else signSegwit(tx, account, { at, form, value })
  }
}

const taprootSignature = (tx: Transaction, account: BitcoinAccount, coins: readonly SpendableCoin[], at: number) => {
  const scripts = coins.map(({ form }) => account.scripts[form])
  const values = coins.map(({ value }) => value)
  return account.taprootKey.signSchnorr(tx.hashForWitnessV1(at, scripts, values, DEFAULT))
}

/** The private key of the taproot output (BIP-341): that of the even point, plus the tweak. */
const tweakedOf = (privateKey: Uint8Array, publicKey: Uint8Array): Uint8Array => {
  const even = publicKey[0] === 2 ? privateKey : ecc.privateNegate(privateKey)
  const tweaked = ecc.privateAdd(even, crypto.taggedHash('TapTweak', publicKey.slice(1)))
  if (tweaked === null) throw new Error('the key has no taproot output')
  return tweaked
}

const legacyScript = (tx: Transaction, account: BitcoinAccount, at: number): Uint8Array => {
  const hash = tx.hashForSignature(at, account.scripts.p2pkh, ALL)
  return script.compile([signature(account, hash), account.publicKey])
}

interface SegwitInput {
  readonly at: number
  readonly form: SpendForm
  readonly value: bigint
}

const signSegwit = (tx: Transaction, account: BitcoinAccount, { at, form, value }: SegwitInput): void => {
  const code = form === 'p2wsh' ? account.witnessScript : account.scripts.p2pkh
  const signed = signature(account, tx.hashForWitnessV0(at, code, value, ALL))
  tx.setWitness(at, form === 'p2wsh' ? [signed, account.witnessScript] : [signed, account.publicKey])
  if (form === 'p2sh-p2wpkh') tx.setInputScript(at, script.compile([account.scripts.p2wpkh]))
}

const signature = (account: BitcoinAccount, hash: Uint8Array): Uint8Array =>
  script.signature.encode(Uint8Array.from(account.key.sign(Buffer.from(hash))), ALL)
