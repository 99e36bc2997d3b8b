import { ServiceError } from '@causeway/core'
import { answerOf, strangeAnswer } from '@causeway/core/chain-kit'
import { type Static, Type } from '@sinclair/typebox'
import { type Asked, askInfo } from './exchangeNode.js'
import { ACCOUNT, AMOUNT, DEX, HASH, MILLISECONDS, SYMBOL } from './fields.js'

/** Absent in some older updates. */
const FEE_TOKEN = Type.Optional(SYMBOL)

const send = Type.Object({
  ...{ type: Type.Literal('send'), user: ACCOUNT, destination: ACCOUNT, sourceDex: DEX, destinationDex: DEX },
  ...{
    token: SYMBOL,
    amount: AMOUNT,
    fee: AMOUNT,
    feeToken: FEE_TOKEN,
    nonce: Type.Union([MILLISECONDS, Type.Null()]),
  },
})
const usdSend = Type.Object({
  ...{ type: Type.Literal('internalTransfer'), user: ACCOUNT, destination: ACCOUNT, usdc: AMOUNT, fee: AMOUNT },
})
const spotSend = Type.Object({
  ...{ type: Type.Literal('spotTransfer'), user: ACCOUNT, destination: ACCOUNT, token: SYMBOL, amount: AMOUNT },
  ...{ fee: AMOUNT, feeToken: FEE_TOKEN },
})

const checkUpdates = answerOf(
  Type.Array(Type.Object({ time: MILLISECONDS, hash: HASH, delta: Type.Object({ type: Type.String() }) })),
)
const checks = { send: answerOf(send), internalTransfer: answerOf(usdSend), spotTransfer: answerOf(spotSend) }

type Delta = Static<typeof send> | Static<typeof usdSend> | Static<typeof spotSend>

/** A change of an account by a transfer between two accounts. */
export interface LedgerUpdate {
  /** Unix milliseconds of its block. */
  readonly time: number
  readonly hash: string
  /** Null: it is no transfer between accounts. */
  readonly delta: Delta | null
}

const readDelta = (json: { readonly type: string }): Delta | null => {
  switch (json.type) {
    case 'send':
      return checks.send(json)
    case 'internalTransfer':
      return checks.internalTransfer(json)
    case 'spotTransfer':
      return checks.spotTransfer(json)
    default:
      return null
  }
}

const readUpdates = (answer: unknown): readonly LedgerUpdate[] =>
  checkUpdates(answer).map(({ time, hash, delta }) => ({ time, hash: hash.toLowerCase(), delta: readDelta(delta) }))

/** Where the reading of a list goes on: from a millisecond, of which some updates were read. */
export interface UpdatesPlace {
  readonly from: number
  readonly seen: readonly string[]
}

export interface UpdatesRange {
  readonly user: string
  /** Milliseconds, both in. */
  readonly from: number
  readonly upTo: number
}

/** Answers hold at most so many updates. */
const MOST_LISTED = 500
const MOST_PAGES = 2_000
/** No API server has smaller pages, so a shorter answer is the end of the list. */
const LEAST_LISTED = 2

/** A hash may stand for several updates. */
const keyOf = ({ hash, delta }: LedgerUpdate): string => (delta === null ? hash : `${hash} ${JSON.stringify(delta)}`)

/**
 * Reads a list on from a place, oldest first; `next` is null once the range is whole. A page may end within a millisecond, so the next one
 * begins with that millisecond again.
 * @throws ServiceError where one millisecond holds more updates than an answer
 */
export const askUpdatesAt = async (
  asked: Asked,
  { user, from, upTo }: UpdatesRange,
  { seen }: Pick<UpdatesPlace, 'seen'>,
): Promise<{ readonly updates: readonly LedgerUpdate[]; readonly next: UpdatesPlace | null }> => {
  if (from > upTo) return { updates: [], next: null }
  const parameters = { user, startTime: from, endTime: upTo }
  const listed = await askInfo(asked, 'userNonFundingLedgerUpdates', readUpdates, parameters)
  requireOrder(listed, from, upTo)
  const last = listed.at(-1)
  if (last === undefined) return { updates: [], next: null }
  const known = new Set(seen)
  const updates = listed.filter((update) => !known.has(keyOf(update)))
  if (listed.length < LEAST_LISTED) return { updates, next: null }
  if (last.time === from && updates.length === 0) {
    if (listed.length >= MOST_LISTED) throw crowded()
    return { updates, next: { from: from + 1, seen: [] } }
  }
  const again = listed.filter(({ time }) => time === last.time).map(keyOf)
  return { updates, next: { from: last.time, seen: again } }
}

const requireOrder = (listed: readonly LedgerUpdate[], from: number, upTo: number): void => {
  let before = from
  for (const { time } of listed) {
    if (time < before || time > upTo) throw strangeAnswer('updates of another time, or out of order')
    before = time
  }
}

const crowded = (): ServiceError =>
  new ServiceError(
    'SERVICE_UNAVAILABLE',
    'The exchange lists no more than 500 transfers of one millisecond, and there are more. Read the account by another API server.',
  )

/** All updates of a range, oldest first. @throws ServiceError also where the list has no end */
export const askUpdates = async (asked: Asked, range: UpdatesRange): Promise<readonly LedgerUpdate[]> => {
  const found: LedgerUpdate[] = []
  let place: UpdatesPlace | null = { from: range.from, seen: [] }
  for (let pages = 0; place !== null; pages += 1) {
    if (pages === MOST_PAGES) throw strangeAnswer('a list of updates that does not end')
    const page: Awaited<ReturnType<typeof askUpdatesAt>> = await askUpdatesAt(
      asked,
      { ...range, from: place.from },
      place,
    )
    found.push(...page.updates)
    place = page.next
  }
  return found
}
