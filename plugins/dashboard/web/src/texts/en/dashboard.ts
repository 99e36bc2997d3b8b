import { access } from './dashboard/access.js'
import { balance } from './dashboard/balance.js'
import { keys } from './dashboard/keys.js'
import { limits } from './dashboard/limits.js'
import { overview } from './dashboard/overview.js'
import { request } from './dashboard/request.js'
import { requests } from './dashboard/requests.js'
import { usage } from './dashboard/usage.js'
import { webhooks } from './dashboard/webhooks.js'

/** Words of the integrators' dashboard. */
export const dashboard = {
  groups: { work: 'Transfers', setup: 'Set up', money: 'Money and use', people: 'People' },
  shared: { chain: (id: number) => `Chain ${id}` },
  scope: {
    of: 'Of',
    everybody: 'Everybody',
    title: 'Whose data?',
    lead: 'As an operator you may look at every integrator.',
    search: 'Name of the integrator',
    none: 'No integrator of that name',
    chooseFirst: 'Choose an integrator first',
  },
  overview,
  requests,
  request,
  keys,
  webhooks,
  usage,
  balance,
  access,
  limits,
}
