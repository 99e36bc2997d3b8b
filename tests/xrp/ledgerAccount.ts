import { privateKeyToAccount } from 'viem/accounts'
import { type SubmittableTransaction, Wallet } from 'xrpl'
import { until } from '../harness/until.js'

/** What a node says of a transaction that it has validated. */
export interface ValidatedTransaction {
  readonly hash: string
  readonly meta: { readonly TransactionResult: string; readonly delivered_amount?: unknown }
  readonly tx_json: {
    readonly TransactionType: string
    readonly Account: string
    readonly Destination?: string
    readonly DestinationTag?: number
    readonly Memos?: readonly { readonly Memo: { readonly MemoData?: string } }[]
  }
}

/** `tfSetNoRipple` of a TrustSet, as wallets set it. */
const SET_NO_RIPPLE = 0x2_0000

/** What any part of a transaction may be given before it is filled in and signed. */
export type TransactionDraft = Pick<SubmittableTransaction, 'TransactionType'> & Readonly<Record<string, unknown>>

/** A node asked in rippled's own way, so that nothing is taken on the service's word. */
export class LedgerNode {
  constructor(
    readonly url: string,
    readonly networkId: number,
  ) {}

  /** @throws Error with the node's refusal */
  async ask<Result>(method: string, params: Readonly<Record<string, unknown>> = {}): Promise<Result> {
    const body = JSON.stringify({ method, params: [{ api_version: 2, ...params }] })
    const response = await fetch(this.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    })
    // CAST: every answer of a node has this shape; what is in it is the caller's to know.
    const { result } = (await response.json()) as {
      readonly result: Result & { readonly error?: string; readonly error_message?: string }
    }
    if (result.error !== undefined) throw new Error(`${method}: ${result.error} ${result.error_message ?? ''}`)
    return result
  }

  /** A transaction once a ledger holds it. @throws Error when none does in time */
  validated(hash: string): Promise<ValidatedTransaction> {
    return until(`${hash} to be validated`, async () => {
      const found = await this.ask<ValidatedTransaction & { readonly validated?: boolean }>('tx', {
        transaction: hash,
      }).catch(() => null)
      return found?.validated === true ? found : null
    })
  }

  /** Transactions of an account that a ledger holds, the oldest first. */
  async history(account: string): Promise<readonly ValidatedTransaction[]> {
    const found: ValidatedTransaction[] = []
    let marker: unknown
    do {
      const page = await this.ask<{
        readonly transactions: readonly ValidatedTransaction[]
        readonly marker?: unknown
      }>('account_tx', {
        account,
        ledger_index_min: -1,
        ledger_index_max: -1,
        forward: true,
        ...(marker === undefined ? {} : { marker }),
      })
      found.push(...page.transactions)
      marker = page.marker
    } while (marker !== undefined)
    return found
  }
}

/** The memo fields of a text. */
export const memoOf = (text: string) => ({
  Memo: { MemoData: Buffer.from(text, 'utf8').toString('hex').toUpperCase() },
})

/** The texts of a transaction's memos. */
export const memoTexts = ({ tx_json: { Memos = [] } }: ValidatedTransaction): readonly string[] =>
  Memos.map(({ Memo: { MemoData = '' } }) => Buffer.from(MemoData, 'hex').toString('utf8'))

const compressed = (publicKey: string): string => {
  const odd = Number.parseInt(publicKey.slice(-1), 16) % 2 === 1
  return `${odd ? '03' : '02'}${publicKey.slice(4, 68)}`.toUpperCase()
}

/** Somebody with a key on the ledger, who signs with the ecosystem's own library. */
export class LedgerAccount {
  readonly #wallet: Wallet
  readonly #node: LedgerNode

  /** @param privateKey 32 bytes */
  constructor(node: LedgerNode, privateKey: `0x${string}`) {
    this.#node = node
    const { publicKey } = privateKeyToAccount(privateKey)
    this.#wallet = new Wallet(compressed(publicKey), `00${privateKey.slice(2).toUpperCase()}`)
  }

  get address(): string {
    return this.#wallet.classicAddress
  }

  /** Its X-address, of this network or of the main one. */
  xAddress(tag: number | false, isTestnet: boolean): string {
    return this.#wallet.getXAddress(tag, isTestnet)
  }

  /** Signs and submits without waiting; returns the hash. @throws Error when the node does not take it */
  async submit(draft: TransactionDraft): Promise<string> {
    const { account_data: root } = await this.#node.ask<{ readonly account_data: { readonly Sequence: number } }>(
      'account_info',
      { account: this.address, ledger_index: 'current' },
    )
    const { ledger_current_index: current } = await this.#node.ask<{ readonly ledger_current_index: number }>(
      'ledger_current',
    )
    const filled = {
      Fee: draft.TransactionType === 'AccountDelete' ? '200000' : '20',
      Sequence: root.Sequence,
      LastLedgerSequence: current + 100,
      NetworkID: this.#node.networkId,
      ...draft,
      Account: this.address,
    }
    // CAST: what was left open is filled in now; the node judges it.
    const { tx_blob, hash } = this.#wallet.sign(filled as unknown as SubmittableTransaction)
    const { engine_result: result } = await this.#node.ask<{ readonly engine_result: string }>('submit', { tx_blob })
    if (!/^(tes|tec|ter)/.test(result)) throw new Error(`${draft.TransactionType} was refused: ${result}`)
    return hash
  }

  /** The same, in a ledger. @throws Error when it did not succeed */
  async send(draft: TransactionDraft): Promise<ValidatedTransaction> {
    const found = await this.#node.validated(await this.submit(draft))
    const { TransactionResult: result } = found.meta
    if (result !== 'tesSUCCESS') throw new Error(`${draft.TransactionType} ended with ${result}`)
    return found
  }

  trust(currency: string, issuer: string, limit = '1000000000'): Promise<ValidatedTransaction> {
    const LimitAmount = { currency, issuer, value: limit }
    return this.send({ TransactionType: 'TrustSet', LimitAmount, Flags: SET_NO_RIPPLE })
  }
}
