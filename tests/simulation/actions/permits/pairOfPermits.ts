import type { Random } from '../../kernel/random.js'
import type { GivenPermit, World } from '../../world.js'
import type { Action } from '../action.js'
import { pay, short } from '../transfers.js'
import { postPermit } from './postPermit.js'
import { newOwner, permitFor } from './signedDeposit.js'

/** How an owner makes a signature void: by the token itself, or by moving the money away. */
const WAYS = ['revokes', 'revokes', 'leaves', 'keeps'] as const

/** The second signature is posted so often, with so long between. */
const TRIES = 6
const BETWEEN_MS = 3_000

/** An owner signs for two quotes of one token, posts both and makes void what was taken: the operator pays for at most one in vain. */
export const pairOfPermits: Action = {
  name: 'pair of signatures',
  weight: 0,
  ofPermits: 3,
  faults: ['two signatures of one owner', 'signature revoked'],
  run: async (world, random) => {
    const origin = random.pick(world.ledgers)
    const owner = { user: newOwner(random), origin }
    const wanted = { conduct: 'once', isCall: false, owner } as const
    const first = await permitFor(world, wanted, random)
    const second = first === null ? null : await permitFor(world, wanted, random)
    if (first === null || second === null) return
    world.fault('two signatures of one owner', `one owner signs for ${short(first.quote.orderId)} and again`)
    if (random.chance(0.4)) await Promise.all([post(world, first, random), post(world, second, random)])
    else await post(world, first, random)
    for (let tries = 1; tries <= TRIES && !second.taken; tries += 1) {
      await post(world, second, random)
      if (!second.taken) await world.sleep(BETWEEN_MS)
    }
  },
}

/** What was taken is made void at once, at times. */
const post = async (world: World, given: GivenPermit, random: Random): Promise<void> => {
  if (given.taken || !(await postPermit(world, given, random)) || world.calm) return
  const { user, origin, orderId, currency } = given.quote
  const way = random.pick(WAYS)
  if (way === 'keeps') return
  if (way === 'revokes') {
    origin.submit(user.revoke(origin, given.permit).raw)
    world.fault('signature revoked', `who signed for ${short(orderId)} makes that void`)
    return
  }
  const amount = origin.balance(user.address, currency)
  const to = random.pick(world.users).address
  if (amount === 0n) return
  pay(world, origin, user, { to, money: { currency, amount }, memo: '' }, `who signed for ${short(orderId)} leaves`)
  await world.sleep(BETWEEN_MS)
  origin.fund(user.address, currency, amount)
}
