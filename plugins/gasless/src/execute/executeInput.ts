import type { Hex } from '@causeway/core'
import type { Delegation, PayoutCall } from '@causeway/core/chain'
import { checkDelegations, HttpError } from '@causeway/core/plugin'
import type { ExecuteBody } from './executeSchemas.js'

/** What is to be sent, and for which quote. */
export interface ExecuteInput {
  readonly chainId: number
  readonly call: PayoutCall
  readonly delegations: readonly Delegation[]
  readonly referrer: string | null
  readonly subsidizeFees: boolean
  /** Null: the call is a request of its own. */
  readonly requestId: Hex | null
  /** As its caller sent it; null: none. */
  readonly ownerSignature: string | null
  /** Null: the body says nothing of the destination. */
  readonly destination: DestinationExecution | null
}

export interface DestinationExecution {
  readonly calls: readonly PayoutCall[]
  readonly delegations: readonly Delegation[]
}

/** Texts of this operation's own (wire.md 2.6). */
export const refuse = (error: string): HttpError => new HttpError(400, error)

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined

const isMissing = (value: unknown): boolean => value === undefined || value === null || value === ''

/** Fields that are missing, in the order that clients name them; `body` is any JSON. Throws HttpError with the text of wire.md 2.6. */
export const requireFields = (body: unknown): void => {
  if (isMissing(memberOf(body, 'executionKind'))) throw refuse('executionKind is required')
  const data = memberOf(body, 'data')
  for (const name of ['chainId', 'to', 'data', 'value']) {
    if (isMissing(memberOf(data, name))) throw refuse(`${name} is required`)
  }
  const list = memberOf(data, 'authorizationList')
  if (Array.isArray(list) && list.length === 0) throw refuse('authorizationList cannot be empty')
}

/** Reads a body that fits its schema. Throws HttpError and ServiceError for what is not sent. */
export const readExecuteInput = ({
  data,
  executionOptions = {},
  requestId,
  ownerSignature,
}: ExecuteBody): ExecuteInput => {
  const { referrer, subsidizeFees = false, destinationChainExecutionData: destination } = executionOptions
  if (data.value !== '0')
    throw refuse('value must be "0": the call is sent by an account that pays gas and holds nothing for its users')
  if (destination !== undefined && requestId === undefined)
    throw refuse('destinationChainExecutionData needs the requestId of a quote that was made with these calls')
  const delegations = data.authorizationList ?? []
  checkDelegations(delegations, 'authorizationList')
  requireOwnChain(delegations, data.chainId)
  return {
    chainId: data.chainId,
    // CAST: the schema has the form.
    call: { to: data.to.toLowerCase(), data: data.data.toLowerCase() as Hex, value: 0n },
    delegations: delegations.map(canonical),
    referrer: referrer === undefined || referrer === '' ? null : referrer,
    subsidizeFees,
    // CAST: the schema has the form.
    requestId: requestId === undefined ? null : (requestId.toLowerCase() as Hex),
    ownerSignature: ownerSignature ?? null,
    destination: destination === undefined ? null : readDestination(destination),
  }
}

/** An authorization for every chain would let anyone delegate the account on all of them with what was signed for one. */
const requireOwnChain = (delegations: readonly Delegation[], chainId: number): void => {
  delegations.forEach((delegation, at) => {
    if (delegation.chainId === chainId) return
    throw refuse(
      delegation.chainId === 0
        ? `authorizationList[${at}].chainId is 0, which holds on every chain: sign it for chain ${chainId}`
        : `authorizationList[${at}].chainId is ${delegation.chainId}, and the call is for chain ${chainId}`,
    )
  })
}

const canonical = ({ chainId, address, nonce, yParity, r, s }: Delegation): Delegation => ({
  chainId,
  address: address.toLowerCase(),
  nonce,
  yParity,
  r: r.toLowerCase(),
  s: s.toLowerCase(),
})

type BodyDestination = NonNullable<NonNullable<ExecuteBody['executionOptions']>['destinationChainExecutionData']>

const readDestination = ({ calls = [], authorizationList = [] }: BodyDestination): DestinationExecution => {
  checkDelegations(authorizationList, 'destinationChainExecutionData.authorizationList')
  return {
    // CAST: the schema has the form.
    calls: calls.map(({ to, data = '0x', value = '0' }) => ({
      to: to.toLowerCase(),
      data: data.toLowerCase() as Hex,
      value: BigInt(value),
    })),
    delegations: authorizationList.map(canonical),
  }
}

/** One text for one call, whoever writes it how. */
export const callText = ({
  chainId,
  call,
  delegations,
}: Pick<ExecuteInput, 'chainId' | 'call' | 'delegations'>): string =>
  JSON.stringify([chainId, call.to, call.data, delegations.map((one) => Object.values(canonical(one)))])
