import { type Caller, type KeyOwnership, ownsAs } from '@causeway/core/plugin'

/** On whose behalf the history is read: what of it there is to see, and whose owner fields are told. */
export interface HistoryScope {
  /** Whom continuations belong to. */
  readonly reader: string | null
  /** The only integrator whose requests there are; null: everybody's. */
  readonly integratorId: string | null
  /** Whether referrers may be searched for without naming keys. */
  readonly seesReferrers: boolean
  /** Whether owner fields of a request of this integrator are shown. */
  owns(integratorId: string | null): boolean
  /** Ids of keys that are named. Throws ServiceError FORBIDDEN for those of others. */
  ownedKeyIds(named: readonly string[]): Promise<readonly string[]>
}

/** Of a call with a key: it sees what everybody sees, and owner fields of its own. */
export const keyScope = (caller: Caller, ownership: Pick<KeyOwnership, 'ownedKeyIds'>): HistoryScope => ({
  reader: caller.kind === 'integrator' ? caller.integratorId : null,
  integratorId: null,
  seesReferrers: false,
  owns: (integratorId) => ownsAs(caller, integratorId),
  ownedKeyIds: (named) => ownership.ownedKeyIds(caller, named),
})

/** Whoever reads for an integrator without a key of it. */
const readerOf = (integratorId: string): Caller => ({
  kind: 'integrator',
  integratorId,
  apiKeyId: '',
  keyName: null,
  elevated: false,
})

/** Of somebody who is signed in: the requests of one integrator alone; null: an operator, who sees everything. */
export const sessionScope = (
  integratorId: string | null,
  ownership: Pick<KeyOwnership, 'ownedKeyIds'>,
): HistoryScope => ({
  reader: `session ${integratorId ?? 'operator'}`,
  integratorId,
  seesReferrers: true,
  owns: (owner) => integratorId === null || owner === integratorId,
  ownedKeyIds: async (named) =>
    integratorId === null ? named.map((id) => id.toLowerCase()) : ownership.ownedKeyIds(readerOf(integratorId), named),
})
