import type { Hex } from '@causeway/core'
import { callData } from '../../chain/permit/simCalls.js'
import type { SimPermit } from '../../chain/permit/simPermit.js'
import type { SimHost } from '../../host/simHost.js'
import type { Random } from '../../kernel/random.js'
import type { GivenPermit, World } from '../../world.js'
import { told } from '../claims.js'
import { requireKnown } from '../requireKnown.js'
import { short } from '../transfers.js'

/** What the quotes of simulated ledgers say to post. */
const KIND = 'eip2612'

/** Hands a signature to a host: any that serves where none is named. False where it is not taken. */
export const postPermit = async (
  world: World,
  given: GivenPermit,
  random: Random,
  host: SimHost | null = world.anyHost(random)?.host ?? null,
): Promise<boolean> => {
  given.posted = true
  const done = await postSignature(world, given, given.permit, host)
  given.taken ||= done
  return done
}

/** The same with any signature, as whoever knows the quote may. */
export const postSignature = async (
  world: World,
  { quote, isCall }: GivenPermit,
  permit: SimPermit,
  host: SimHost | null,
): Promise<boolean> => {
  const origins = host?.origins ?? null
  if (host === null || origins === null) return false
  // CAST: ids of requests are hex.
  const requestId = quote.requestId as Hex
  const { signature, expiresAt } = permit
  const name = `the ${isCall ? 'call' : 'signature'} of ${short(requestId)}`
  const done = await told(world, `${name} is not taken`, async () => {
    await world.as(host.process, () =>
      isCall
        ? origins.call({ requestId, data: callData(permit), overAt: expiresAt * 1_000 })
        : origins.post({ kind: KIND, requestId, signature }),
    )
    return true
  })
  if (done !== null) world.tell(`${name} is taken by ${host.process.name}`)
  return done !== null
}

/** Somebody brings in what another one signed for, as everybody may. */
export const bringIn = (world: World, { quote, permit }: GivenPermit, random: Random): void => {
  const { origin, orderId } = quote
  try {
    const { raw, id } = random.pick(world.users).bringIn(origin, permit)
    origin.submit(raw)
    world.tell(`a stranger brings in what was signed for ${short(orderId)}: ${short(id)}`)
  } catch (error) {
    requireKnown(error)
    world.tell(`what was signed is refused by ${origin.slug}: ${error instanceof Error ? error.message : ''}`)
  }
}
