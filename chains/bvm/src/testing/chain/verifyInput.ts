import { createRequire } from 'node:module'
import type { Transaction } from 'bitcoinjs-lib'
import type { Coin } from './coins.js'
import { Refusal } from './refusal.js'

/** The part of bitcore-lib, which brings no types, that judges scripts. */
interface Bitcore {
  readonly Script: {
    new (bytes: Buffer): BitcoreScript
    readonly Interpreter: { new (): Interpreter } & Readonly<Record<string, number>>
  }
  readonly Transaction: {
    new (hex: string): BitcoreTransaction
    readonly Output: new (parts: { satoshis: number; script: BitcoreScript }) => object
  }
}
type BitcoreScript = object
interface BitcoreTransaction {
  readonly inputs: { output: object }[]
}
interface Interpreter {
  readonly errstr: string
  verify(
    scriptSig: BitcoreScript,
    script: BitcoreScript,
    tx: BitcoreTransaction,
    input: number,
    flags: number,
    witness: readonly Buffer[],
    satoshis: number,
  ): boolean
}

// CAST: the shapes above are what the library exports.
const { Script, Transaction: BitcoreTransactionOf } = createRequire(import.meta.url)('bitcore-lib') as Bitcore

const flags = (...names: readonly string[]): number =>
  names.reduce((all, name) => all | (Script.Interpreter[`SCRIPT_VERIFY_${name}`] ?? 0), 0)

/** What no block may break. */
const CONSENSUS = flags(
  'P2SH',
  'DERSIG',
  'NULLDUMMY',
  'CHECKLOCKTIMEVERIFY',
  'CHECKSEQUENCEVERIFY',
  'WITNESS',
  'TAPROOT',
)

/** What a node asks of transactions it relays, above that; CLEANSTACK is left out, as the library judges it wrongly. */
const RELAY =
  CONSENSUS |
  flags('STRICTENC', 'LOW_S', 'MINIMALDATA', 'DISCOURAGE_UPGRADABLE_NOPS', 'DISCOURAGE_UPGRADABLE_WITNESS_PROGRAM') |
  flags('MINIMALIF', 'NULLFAIL', 'WITNESS_PUBKEYTYPE', 'DISCOURAGE_UPGRADABLE_TAPROOT_VERSION', 'DISCOURAGE_OP_SUCCESS')

/**
 * Runs the scripts of every input.
 * @throws Refusal as Core words it: mandatory when a block with it would be invalid, else only not relayed
 */
export const verifyInputs = (tx: Transaction, spent: readonly Coin[], rules: 'relay' | 'consensus' = 'relay'): void => {
  const judged = new BitcoreTransactionOf(tx.toHex())
  for (const [at, input] of judged.inputs.entries()) {
    const coin = spent[at]
    if (coin === undefined) throw new Error(`the coin of input ${at} is not given`)
    // bitcore-lib takes numbers; every amount of satoshis that exists is an exact one.
    const satoshis = Number(coin.value)
    input.output = new BitcoreTransactionOf.Output({ satoshis, script: new Script(Buffer.from(coin.script)) })
  }
  for (const [at, coin] of spent.entries()) {
    const failure = failureOf(tx, judged, at, coin, rules === 'relay' ? RELAY : CONSENSUS)
    if (failure === null) continue
    const mandatory = rules === 'consensus' || failureOf(tx, judged, at, coin, CONSENSUS) !== null
    const kind = mandatory ? 'mandatory-script-verify-flag-failed' : 'non-mandatory-script-verify-flag'
    throw new Refusal(`${kind} (${failure})`)
  }
}

/** Null when the input's scripts are met. */
const failureOf = (
  tx: Transaction,
  judged: BitcoreTransaction,
  at: number,
  coin: Coin,
  asked: number,
): string | null => {
  const input = tx.ins[at]
  if (input === undefined) throw new Error(`there is no input ${at}`)
  const scriptSig = new Script(Buffer.from(input.script))
  const script = new Script(Buffer.from(coin.script))
  const witness = input.witness.map((item) => Buffer.from(item))
  const interpreter = new Script.Interpreter()
  try {
    const good = interpreter.verify(scriptSig, script, judged, at, asked, witness, Number(coin.value))
    return good ? null : wording(interpreter.errstr)
  } catch {
    // It throws on signatures and keys it cannot even parse.
    return wording('')
  }
}

const WORDINGS: Readonly<Record<string, string>> = {
  SCRIPT_ERR_EQUALVERIFY: 'Script failed an OP_EQUALVERIFY operation',
  SCRIPT_ERR_NULLFAIL: 'Signature must be zero for failed CHECK(MULTI)SIG operation',
  SCRIPT_ERR_SIG_NULLFAIL: 'Signature must be zero for failed CHECK(MULTI)SIG operation',
  SCRIPT_ERR_SIG_DER_INVALID_FORMAT: 'Non-canonical DER signature',
  SCRIPT_ERR_SIG_DER_HIGH_S: 'Non-canonical signature: S value is unnecessarily high',
  SCRIPT_ERR_SIG_HASHTYPE: 'Signature hash type missing or not understood',
  SCRIPT_ERR_WITNESS_PROGRAM_MISMATCH: 'Witness program hash mismatch',
  SCRIPT_ERR_WITNESS_PROGRAM_WITNESS_EMPTY: 'Witness program was passed an empty witness',
  SCRIPT_ERR_WITNESS_UNEXPECTED: 'Witness provided for non-witness script',
  SCRIPT_ERR_WITNESS_MALLEATED: 'Witness requires empty scriptSig',
  SCRIPT_ERR_WITNESS_MALLEATED_P2SH: 'Witness requires only-redeemscript scriptSig',
  SCRIPT_ERR_SCHNORR_SIG: 'Invalid Schnorr signature',
  SCRIPT_ERR_SCHNORR_SIG_SIZE: 'Invalid Schnorr signature size',
  SCRIPT_ERR_SCHNORR_SIG_HASHTYPE: 'Invalid Schnorr signature hash type',
  SCRIPT_ERR_INVALID_STACK_OPERATION: 'Operation not valid with the current stack size',
}

const wording = (name: string): string =>
  WORDINGS[name] ?? 'Script evaluated without error but finished with a false/empty top stack element'
