import type { ChainConfig, CurrencyConfig } from '../../chain/chainPackage.js'
import type { Diagnosis } from '../../chain/endpoint/diagnosis.js'
import { type DepositoryAccount, diagnoseDepositoryAccount } from './diagnoseAllocator.js'

/** An account that the service owns. */
export interface OwnAccount {
  readonly role: 'depository' | 'solver' | 'deposit addresses'
  /** For example `xrp depository`. */
  readonly subject: string
  readonly address: string
  /** Cost if the account does not work; ends a sentence. */
  readonly failing: string
}

/** An answer to a question about one account, which the kit puts under the account's subject. */
export type AccountFinding = Omit<Diagnosis, 'subject'>

/** Questions about an account, which a chain answers from the state that one node shows. */
export interface OwnAccountQuestions<State> {
  /** Symbol of the native currency and name of its smallest unit. */
  readonly native: { readonly symbol: string; readonly unit: string }
  /** Returns the account's state; null if the account does not exist. @throws ServiceError if the node does not answer */
  read(own: OwnAccount): Promise<State | null>
  /** Native amounts: what the account holds, and what it must keep; null for an account that pays no fee and keeps no reserve. */
  funds(state: State, own: OwnAccount): Promise<{ readonly held: bigint; readonly reserve: bigint } | null>
  /** Returns why the account does not take payments of any sender, and the remedy; null if it takes them. Asked of the depository. */
  closed(own: OwnAccount, state: State): Required<Pick<AccountFinding, 'message' | 'remedy'>> | null
  /** Whether others can use the account's money. Faults stop the chain's quotes. */
  usedByOthers(own: OwnAccount, state: State): Promise<readonly AccountFinding[]>
  /** Whether the account can hold a currency; null for a currency that every account holds. */
  holds(own: OwnAccount, currency: CurrencyConfig): Promise<AccountFinding | null>
  /** Advice for an account that works. */
  advice?(own: OwnAccount, state: State): readonly AccountFinding[]
}

/** The accounts of a deployment on one chain. */
export interface OwnAccountsTerms extends Omit<DepositoryAccount, 'subject'> {
  readonly config: Pick<ChainConfig, 'slug' | 'solver' | 'currencies'>
  /** The account that all deposit addresses share; null where the chain has none. */
  readonly depositAccount: string | null
}

/** Answers of `doctor`: every question about every account. */
export const diagnoseOwnAccounts = async <State>(
  terms: OwnAccountsTerms,
  questions: OwnAccountQuestions<State>,
): Promise<readonly Diagnosis[]> => {
  const { currencies } = terms.config
  return askAll(terms, async (own) => {
    const state = await questions.read(own)
    if (state === null) return [missing(own, questions)]
    const [account, used, ...held] = await Promise.all([
      funded(own, state, questions),
      questions.usedByOthers(own, state),
      ...currencies.map((currency) => questions.holds(own, currency)),
    ])
    return [
      account,
      ...closed(own, state, questions),
      ...(questions.advice?.(own, state) ?? []),
      ...used,
      ...held.flatMap((finding) => finding ?? []),
    ]
  })
}

/** Answers that stop quotes: deposits could not arrive or be withdrawn, or others could use the money of an account. */
export const verifyOwnAccounts = <State>(
  terms: OwnAccountsTerms,
  questions: OwnAccountQuestions<State>,
): Promise<readonly Diagnosis[]> =>
  askAll(terms, async (own) => {
    const state = await questions.read(own)
    if (state === null) return own.role === 'depository' ? [missing(own, questions)] : []
    return [...closed(own, state, questions), ...(await questions.usedByOthers(own, state))]
  })

const askAll = async (
  { config, depositAccount, ...account }: OwnAccountsTerms,
  ask: (own: OwnAccount) => Promise<readonly AccountFinding[]>,
): Promise<readonly Diagnosis[]> => {
  const accounts = accountsOf(config, account.depository, depositAccount)
  const found = await Promise.all(
    accounts.map(async (own) => (await ask(own)).map((finding) => ({ ...finding, subject: own.subject }))),
  )
  const subject = `${config.slug} depository`
  return [diagnoseDepositoryAccount({ ...account, subject }), ...shared(accounts), ...found.flat()]
}

const accountsOf = (
  { slug, solver }: Pick<ChainConfig, 'slug' | 'solver'>,
  depository: string,
  depositAccount: string | null,
): readonly OwnAccount[] => {
  const accounts = [
    ['depository', depository, 'nothing can be deposited'],
    ['solver', solver, 'nothing can be paid out'],
    ['deposit addresses', depositAccount ?? '', 'nothing can be paid to deposit addresses'],
  ] as const
  return accounts
    .filter(([, address]) => address !== '')
    .map(([role, address, failing]) => ({ role, address, failing, subject: `${slug} ${role}` }))
}

/** Money moves between these accounts, and each has a key and a history that is read for it alone. */
const shared = (accounts: readonly OwnAccount[]): readonly Diagnosis[] =>
  accounts.flatMap(({ role, address, subject }, at) =>
    accounts
      .slice(at + 1)
      .filter((other) => other.address === address)
      .map((other) => ({
        check: 'account',
        subject,
        state: 'fault',
        message: `is the account of the ${other.role}`,
        remedy: `Give the ${role === 'depository' ? 'allocator' : role} a key of its own, and its account in the chain's options.`,
      })),
  )

const missing = <State>(
  { address, failing }: OwnAccount,
  { native: { symbol } }: OwnAccountQuestions<State>,
): AccountFinding => ({
  check: 'account',
  state: 'fault',
  message: `does not exist yet, so ${failing}`,
  remedy: `Send ${symbol} to ${address}, at least what accounts must keep and some more for fees.`,
})

const funded = async <State>(
  own: OwnAccount,
  state: State,
  { native: { symbol, unit }, funds }: OwnAccountQuestions<State>,
): Promise<AccountFinding> => {
  const { address } = own
  const found = await funds(state, own)
  if (found === null) return { check: 'account', state: 'ok', message: 'exists' }
  const { held, reserve } = found
  if (held > reserve)
    return { check: 'account', state: 'ok', message: `exists, and holds ${held - reserve} ${unit} above its reserve` }
  return {
    check: 'account',
    state: 'fault',
    message: `holds no more than its reserve of ${reserve} ${unit}, so it can pay no fee`,
    remedy: `Send some ${symbol} to ${address}: fees are paid from it.`,
  }
}

const closed = <State>(
  own: OwnAccount,
  state: State,
  questions: OwnAccountQuestions<State>,
): readonly AccountFinding[] => {
  const why = own.role === 'depository' ? questions.closed(own, state) : null
  return why === null ? [] : [{ check: 'account flags', state: 'fault', ...why }]
}
