import { ServiceError } from '@causeway/core'
import { answerOf, listPages } from '@causeway/core/chain-kit'
import { type Static, Type } from '@sinclair/typebox'
import { isEntity } from '../address/addresses.js'
import { COUNT, ENTITY, EVM_ADDRESS, WHOLE } from './fields.js'
import { type Asked, findAt, type MirrorNode, MOST_LISTED } from './mirrorNode.js'

const readAccount = answerOf(
  Type.Object({
    account: ENTITY,
    balance: Type.Optional(Type.Object({ balance: Type.Optional(COUNT) })),
    deleted: Type.Optional(Type.Boolean()),
    evm_address: Type.Optional(EVM_ADDRESS),
    key: Type.Optional(Type.Union([Type.Object({ _type: Type.String(), key: Type.String() }), Type.Null()])),
    max_automatic_token_associations: Type.Optional(WHOLE),
    receiver_sig_required: Type.Optional(Type.Boolean()),
  }),
)

/** An account in the newest block. */
export interface AccountState {
  readonly id: string
  /** In tinybars. */
  readonly balance: bigint
  readonly isDeleted: boolean
  /** In lower case; null where the mirror node shows none. */
  readonly evmAddress: string | null
  /** A key, or several, in hex; null before the first signature. */
  readonly key: string | null
  /** Maximum number of automatic associations; -1: no limit. */
  readonly slots: number
  readonly needsReceiverSignature: boolean
}

const accountOf = (answer: unknown): AccountState => {
  const json = readAccount(answer)
  return {
    id: json.account,
    balance: BigInt(json.balance?.balance ?? 0),
    isDeleted: json.deleted === true,
    evmAddress: json.evm_address?.toLowerCase() ?? null,
    key: json.key?.key ?? null,
    slots: Number(json.max_automatic_token_associations ?? 0),
    needsReceiverSignature: json.receiver_sig_required === true,
  }
}

/** An account by its number or EVM address; null where there is none. */
export const askAccount = (asked: Asked, account: string): Promise<AccountState | null> =>
  findAt(asked, `/accounts/${account}`, accountOf, { transactions: 'false' })

const relationSchema = Type.Object({
  token_id: ENTITY,
  balance: COUNT,
  automatic_association: Type.Optional(Type.Boolean()),
  freeze_status: Type.Optional(Type.String()),
  kyc_status: Type.Optional(Type.String()),
})
const readRelations = answerOf(Type.Object({ tokens: Type.Array(relationSchema) }))

/** An account's association with a token. */
export interface Relation {
  readonly balance: bigint
  readonly isFrozen: boolean
  /** The token demands a KYC grant that the account lacks. */
  readonly lacksKyc: boolean
}

const relationOf = (json: Static<typeof relationSchema>): Relation => ({
  balance: BigInt(json.balance),
  isFrozen: json.freeze_status === 'FROZEN',
  lacksKyc: json.kyc_status === 'REVOKED',
})

const MOST_PAGES = 50

/** The association of an account with a token; null where there is none, or no account. */
export const askRelation = async (asked: Asked, account: string, token: string): Promise<Relation | null> => {
  const found = await findAt(asked, `/accounts/${account}/tokens`, readRelations, { 'token.id': token })
  const json = found?.tokens.find(({ token_id }) => token_id === token)
  return json === undefined ? null : relationOf(json)
}

/** How many automatic slots of an account are used, counted up to `most`. */
export const countAutomatic = async (asked: Asked, account: string, most: number): Promise<number> => {
  let used = 0
  const pages = listPages<Static<typeof relationSchema>>(MOST_PAGES, async (last) => {
    const query = { 'token.id': `gt:${last?.token_id ?? '0.0.0'}`, limit: String(MOST_LISTED), order: 'asc' }
    return (await findAt(asked, `/accounts/${account}/tokens`, readRelations, query))?.tokens ?? []
  })
  for await (const tokens of pages) {
    used += tokens.filter(({ automatic_association }) => automatic_association === true).length
    if (used >= most) break
  }
  return used
}

const MOST_KNOWN = 10_000

/** Numbers of accounts that are named by an EVM address, as each mirror node shows them. An alias never moves to another account. */
export class AccountIds {
  readonly #known = new WeakMap<MirrorNode, Map<string, string>>()

  /** `0.0.<number>` of an account; null where the node knows none. @throws ServiceError */
  async at(node: MirrorNode, account: string): Promise<string | null> {
    if (isEntity(account)) return account
    const known = this.#known.get(node) ?? new Map<string, string>()
    this.#known.set(node, known)
    const id = known.get(account) ?? (await askAccount(node, account))?.id ?? null
    if (id !== null && known.size < MOST_KNOWN) known.set(account, id)
    return id
  }

  /**
   * As `at`, of an account of the deployment: the answer of a node that does not know it would hide what the account received or sent.
   * @throws ServiceError also where the node knows none
   */
  async required(node: MirrorNode, account: string): Promise<string> {
    const id = await this.at(node, account)
    if (id !== null) return id
    const message = `The account ${account} does not exist on this chain yet. Send HBAR to it first.`
    throw new ServiceError('SERVICE_UNAVAILABLE', message)
  }
}
