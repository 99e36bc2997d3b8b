import { encode, encodeForSigning } from 'ripple-binary-codec'
import { sign } from 'ripple-keypairs'
import { hashes, Wallet } from 'xrpl'
import type { IssuedAmount } from './amounts/amount.js'
import { formatValue } from './amounts/issuedValue.js'
import type { LedgerTx } from './closedLedger.js'
import { readBlob } from './readBlob.js'
import { accountIn } from './state/accounts.js'
import { balanceOn, lineBetween } from './state/trustLines.js'
import type { Tx } from './transaction.js'
import { XrpLedger } from './xrpLedger.js'

export const NETWORK = 71_009
export const XRP = 1_000_000n

/** A transaction without what a wallet fills in. */
export type Draft = Partial<Tx> & Pick<Tx, 'TransactionType'>

export const pay = (to: Wallet | string, Amount: Tx['Amount'] & {}, more: Partial<Tx> = {}): Draft => ({
  TransactionType: 'Payment',
  Destination: typeof to === 'string' ? to : to.classicAddress,
  Amount,
  ...more,
})

export const usd = (issuer: Wallet, value: string): IssuedAmount => ({
  ...{ currency: 'USD', issuer: issuer.classicAddress, value },
})

export const trust = (issuer: Wallet, value: string, more: Partial<Tx> = {}): Draft => ({
  TransactionType: 'TrustSet',
  LimitAmount: usd(issuer, value),
  ...more,
})

/** A ledger whose ledgers close on demand, with what tests of its rules need. */
export class TestedLedger {
  readonly ledger: XrpLedger

  constructor(networkId = NETWORK) {
    this.ledger = new XrpLedger(networkId)
  }

  /** A wallet with drops. */
  funded(drops = 1000n * XRP): Wallet {
    const wallet = Wallet.generate()
    this.give(wallet.classicAddress, drops)
    return wallet
  }

  give(address: string, drops: bigint): void {
    this.ledger.fund(address, drops)
    this.ledger.close()
  }

  /** Signs and submits. Returns the preliminary result, or what a server says of a blob that it does not take in. */
  send(wallet: Wallet, draft: Draft, signer = wallet): string {
    return this.submit(this.sign(wallet, draft, signer).tx_blob)
  }

  submit(blob: string): string {
    try {
      return this.ledger.submit(readBlob(blob))
    } catch (error) {
      return String(error)
    }
  }

  sign(wallet: Wallet, draft: Draft, signer = wallet): { readonly tx_blob: string; readonly hash: string } {
    const { networkId } = this.ledger.rules
    const filled = {
      ...{ Account: wallet.classicAddress, Fee: '10', Sequence: this.sequence(wallet) },
      ...(networkId > 1024 ? { NetworkID: networkId } : {}),
      ...draft,
    }
    const said = Object.entries({ ...filled, SigningPubKey: signer.publicKey }).filter(
      ([, value]) => value !== undefined,
    )
    const unsigned = Object.fromEntries(said)
    // By the codec alone: a wallet checks more than it must.
    const TxnSignature = sign(encodeForSigning(unsigned), signer.privateKey)
    const tx_blob = encode({ ...unsigned, TxnSignature })
    return { tx_blob, hash: hashes.hashSignedTx(tx_blob) }
  }

  /** Sends, and closes the ledger. Returns what is in it. @throws Error with the result when it is not included */
  include(wallet: Wallet, draft: Draft, signer = wallet): LedgerTx {
    const { tx_blob, hash } = this.sign(wallet, draft, signer)
    const code = this.submit(tx_blob)
    this.ledger.close()
    const found = this.ledger.blocks.find(hash)
    if (found === undefined) throw new Error(`Not included: ${code}`)
    return found.tx
  }

  /** Its final result in a ledger. */
  result(wallet: Wallet, draft: Draft, signer = wallet): string {
    return this.include(wallet, draft, signer).meta.TransactionResult
  }

  sequence({ classicAddress }: Wallet): number {
    return accountIn(this.ledger.open.state, classicAddress)?.Sequence ?? 0
  }

  root({ classicAddress }: Wallet) {
    return accountIn(this.ledger.open.state, classicAddress)
  }

  drops(wallet: Wallet): bigint {
    return BigInt(this.root(wallet)?.Balance ?? 0)
  }

  /** What an account holds of an issuer's dollars; null: it has no line. */
  dollars({ classicAddress }: Wallet, issuer: Wallet): string | null {
    const line = lineBetween(this.ledger.open.state, classicAddress, issuer.classicAddress, 'USD')
    return line === undefined ? null : formatValue(balanceOn(line, classicAddress))
  }
}
