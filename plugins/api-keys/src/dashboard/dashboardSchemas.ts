import { MANAGEMENT_REFUSALS, MANAGEMENT_ROUTE } from '@causeway/core/plugin'
import { Type } from '@sinclair/typebox'

const UUID = '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$'

/** Refusals that any call behind a session may meet, and any that opens one. */
export const REFUSALS = MANAGEMENT_REFUSALS

/** What a call behind a session sends. */
export const SESSION_HEADERS = MANAGEMENT_ROUTE.requestHeaders

export const TimeText = () => Type.String({ examples: ['2026-01-31T12:00:00.000Z'] })

export const UuidText = (description: string) => Type.String({ pattern: UUID, description })

export const IdParams = Type.Object({ id: UuidText('Id of it.') })

export const WalletAddressText = () =>
  Type.String({ pattern: '^0x[0-9a-fA-F]{40}$', description: 'Address of a wallet.' })

export const Nullable = <T extends import('@sinclair/typebox').TSchema>(schema: T) => Type.Union([schema, Type.Null()])

export const PageLimit = () =>
  Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 50, description: 'Most entries of the answer.' }))
