import type { proto } from '@hiero-ledger/proto'
import type { AssessedFee, Made, Transfer } from '../ledgerTx.js'
import { need } from '../refusal.js'
import { completingKey, hasSigned, type Signers } from '../rules/signatures.js'
import { type Account, accountIn, type Token, tokenIn, type View } from '../state/entries.js'
import { type Code, idText } from '../values.js'

/** A child that comes before its transaction: an account that it made, or a hollow one that it completed. */
export interface Child {
  readonly kind: 'cryptoCreateAccount' | 'cryptoUpdateAccount'
  readonly body: proto.ITransactionBody
  readonly made: Made
}

/** A scheduled transaction that has its signatures. */
export interface Ready {
  readonly schedule: string
  readonly signers: readonly string[]
}

interface Parts {
  readonly state: View
  readonly payer: string
  readonly transactionId: proto.ITransactionID
  readonly now: bigint
  readonly signers: Signers
  readonly trusted: boolean
  readonly nextId: () => string
  readonly charge: (price: bigint) => void
}

/** The network as a transaction reads and changes it. */
export class Context {
  readonly transfers: Transfer[] = []
  readonly assessed: AssessedFee[] = []
  readonly children: Child[] = []
  readonly made: Made = {}
  /** Set by a schedule whose transaction can run. */
  ready: Ready | null = null

  constructor(readonly parts: Parts) {}

  get state(): View {
    return this.parts.state
  }

  /** @throws Refusal if there is no such account, or it is deleted */
  account(id: string, missing: Code = 'INVALID_ACCOUNT_ID'): Account {
    const account = accountIn(this.state, id)
    need(account !== null, missing)
    need(!account.deleted, 'ACCOUNT_DELETED')
    return account
  }

  /** @throws Refusal if there is no such token, or it is deleted or paused */
  token(id: proto.ITokenID | null | undefined, { paused = false } = {}): Token {
    const token = tokenIn(this.state, idText(id?.tokenNum))
    need(token !== null, 'INVALID_TOKEN_ID')
    need(!token.deleted, 'TOKEN_WAS_DELETED')
    need(paused || !token.paused, 'TOKEN_IS_PAUSED')
    return token
  }

  /** @throws Refusal unless the key signed */
  needKey(key: proto.IKey | null | undefined): void {
    const isSigned = this.parts.trusted || (key !== null && key !== undefined && hasSigned(key, this.parts.signers))
    need(isSigned, 'INVALID_SIGNATURE')
  }

  /** The signature of a hollow account completes it. @throws Refusal unless the account signed */
  needSignature(id: string): void {
    const account = this.account(id)
    const key = completingKey(account, this.parts.signers)
    this.needKey(account.key ?? key)
    if (key === undefined) return
    this.state.put({ ...account, key })
    this.children.push({ kind: 'cryptoUpdateAccount', body: { cryptoUpdateAccount: { key } }, made: { account: id } })
  }

  /** Adds an amount of a token or of tinybars to what the transaction moved. */
  moved(account: string, amount: bigint, token: string | null = null, approval = false): void {
    if (amount !== 0n) this.transfers.push({ account, amount, token, approval })
  }

  /** Adds tinybars to an account. @throws Refusal if the balance would be negative */
  credit(id: string, amount: bigint, code: Code, approval = false): void {
    const account = this.account(id)
    need(account.balance + amount >= 0n, code)
    this.state.put({ ...account, balance: account.balance + amount })
    this.moved(id, amount, null, approval)
  }
}

/** Rules of one kind of transaction. */
export interface Transactor {
  /** Rules of the body alone, which a node checks before it takes the transaction. @throws Refusal */
  check?(body: proto.ITransactionBody): void
  /** @throws Refusal, and then the transaction has no effect but its fee */
  apply(body: proto.ITransactionBody, context: Context): void
}
