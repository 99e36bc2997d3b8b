import type { Hex } from '@causeway/core'
import type { SimPermit } from '../../chain/permit/simPermit.js'
import type { SimHost } from '../../host/simHost.js'
import type { Random } from '../../kernel/random.js'
import type { GivenPermit, World } from '../../world.js'
import { told } from '../claims.js'
import { short } from '../transfers.js'

/** What the quotes of simulated ledgers say to post. */
const KIND = 'eip2612'

/** Hands a signature to a host: any that serves unless told. False where it is not taken. */
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
  { quote }: GivenPermit,
  { signature }: Pick<SimPermit, 'signature'>,
  host: SimHost | null,
): Promise<boolean> => {
  const permits = host?.permits ?? null
  if (host === null || permits === null) return false
  // CAST: ids of requests are hex.
  const body = { kind: KIND, requestId: quote.requestId as Hex, signature }
  const name = `the signature of ${short(quote.requestId)}`
  const done = await told(world, `${name} is not taken`, async () => {
    await world.as(host.process, () => permits(body))
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
    world.tell(`what was signed is refused by ${origin.slug}: ${error instanceof Error ? error.message : ''}`)
  }
}
